# The command line and the service in one image, for amd64 and arm64: nothing in it is compiled.
#   docker build -t docgauge .
#   docker run --rm docgauge https://docs.example.com
#   docker run --read-only --tmpfs /tmp -v docgauge:/data -p 8080:8080 docgauge serve
# Images are pinned by the digest of their index, here and in the compose files. That of another tag:
#   docker buildx imagetools inspect node:TAG

FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS build
WORKDIR /src
COPY . .
RUN npm ci --ignore-scripts --no-audit --no-fund
RUN npm pack --pack-destination /tmp

FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6
ENV NODE_ENV=production
COPY --from=build /tmp/docgauge-*.tgz /tmp/docgauge.tgz
# Of the optional packages, only the one that draws images, as the lock file has it: it comes compiled, and the database is PostgreSQL or
# Node's own SQLite.
COPY --from=build /src/node_modules/@resvg /usr/local/lib/node_modules/@resvg
RUN npm install --global --omit=optional --ignore-scripts --no-audit --no-fund /tmp/docgauge.tgz \
  && rm /tmp/docgauge.tgz \
  && mkdir /data \
  && chown node:node /data
ENV HOST=0.0.0.0 PORT=8080 DOCGAUGE_DATABASE_URL=file:/data/docgauge.db DOCGAUGE_ARCHIVES=/data/archives,keep=2,total=5GB
# Where compiled code is cached with --read-only.
ENV XDG_CACHE_HOME=/tmp
WORKDIR /data
VOLUME /data
USER node
EXPOSE 8080
# Nothing listens before the tables are changed, which may take long: a container is not unhealthy for it.
HEALTHCHECK --interval=30s --timeout=5s --start-period=1h \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["docgauge"]
CMD ["--help"]
