import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"

/**
 * What PostgreSQL does in one statement to take the next run, so that the order of turns is locked for one statement of the server
 * and not for several round trips. `PostgresTurns.ts` calls it. A migration that changes one of the functions replaces it in a file of its own.
 */
export const createQueueFunctions = Effect.fnUntraced(function* (sql: SqlClient) {
  // The rubrics of waiting runs that a worker may take, as the first of each in the index. Runs of a rubric that a live worker has are left
  // to it, as during a deploy; others are taken by any worker once they have waited, which queued_before says.
  yield* sql`
    CREATE OR REPLACE FUNCTION docgauge_accepted (at double precision, for_rubric text, live_ms double precision)
    RETURNS TABLE (rubric text, queued_before double precision) LANGUAGE sql STABLE AS $$
      WITH RECURSIVE waiting (digest) AS (
        (SELECT runs.rubric_digest FROM runs WHERE runs.status IN ('pending', 'running') ORDER BY runs.rubric_digest LIMIT 1)
        UNION ALL
        SELECT (
          SELECT runs.rubric_digest FROM runs WHERE runs.status IN ('pending', 'running') AND runs.rubric_digest > waiting.digest ORDER BY runs.rubric_digest LIMIT 1
        ) FROM waiting WHERE waiting.digest IS NOT NULL
      )
      SELECT digest, CASE WHEN for_rubric IS NULL OR digest = for_rubric THEN NULL ELSE at - live_ms END
      FROM waiting
      WHERE digest IS NOT NULL AND (
        for_rubric IS NULL OR digest = for_rubric
        OR NOT EXISTS (SELECT 1 FROM workers WHERE workers.rubric_digest = waiting.digest AND seen_at > at - live_ms)
      )
    $$`

  // Waiting runs of one rubric whose domains are free.
  yield* sql`
    CREATE OR REPLACE FUNCTION docgauge_takeable (at double precision, rubric text, queued_before double precision, held uuid[])
    RETURNS TABLE (submitter text, run bigint, run_id uuid, domain text) LANGUAGE sql STABLE AS $$
      SELECT runs.submitter, runs.serial, runs.id, runs.domain
      FROM runs
      WHERE runs.status IN ('pending', 'running') AND runs.status = 'pending' AND runs.submitter IS NOT NULL
        AND runs.rubric_digest = rubric AND (queued_before IS NULL OR runs.queued_at <= queued_before)
        AND runs.domain NOT IN (SELECT audit_leases.domain FROM audit_leases WHERE expires_at > at)
        AND runs.id <> ALL (held)
    $$`

  // The first submitter of a class, in the order of turns, that has such a run; and that run. Of 10,000 submitters, looking up one by
  // one takes 17 ms where the domains of the first 9,600 are being audited. So it ends after 500, and the first place is then searched
  // among the runs between two such domains in the order of the alphabet, which takes 2 ms where 300 domains are being audited.
  // Compiling that statement (jit) would take 20 ms.
  yield* sql`
    CREATE OR REPLACE FUNCTION docgauge_next_turn (of_class smallint, from_turn bigint, at double precision, rubrics text[], queued_befores double precision[], held uuid[])
    RETURNS TABLE (submitter text, turn bigint, run bigint, run_id uuid, domain text) LANGUAGE plpgsql STABLE SET jit = off AS $$
      #variable_conflict use_column
    DECLARE
      place bigint := from_turn;
    BEGIN
      FOR look IN 1..2 LOOP
        RETURN QUERY
          SELECT first.submitter, first.turn, waiting.run, waiting.run_id, waiting.domain
          FROM (SELECT submitter, turn FROM queue_turns WHERE class = of_class AND turn >= place ORDER BY turn LIMIT 500) first
          CROSS JOIN LATERAL (
            SELECT oldest.* FROM unnest(rubrics, queued_befores) accepted (rubric, queued_before)
            CROSS JOIN LATERAL (
              SELECT * FROM docgauge_takeable(at, rubric, queued_before, held) WHERE submitter = first.submitter ORDER BY run LIMIT 1
            ) oldest
            ORDER BY run LIMIT 1
          ) waiting
          ORDER BY first.turn LIMIT 1;
        IF FOUND OR NOT EXISTS (SELECT 1 FROM queue_turns WHERE class = of_class AND turn >= place ORDER BY turn OFFSET 500 LIMIT 1) THEN RETURN; END IF;
        SELECT min(queue_turns.turn) INTO place
          FROM (
            SELECT busy, COALESCE(lead(busy) OVER (ORDER BY busy), '~') AS next_busy
            FROM (SELECT '' COLLATE "C" AS busy UNION ALL SELECT audit_leases.domain FROM audit_leases WHERE expires_at > at) leased
          ) between_busy
          CROSS JOIN unnest(rubrics, queued_befores) accepted (rubric, queued_before)
          -- OFFSET 0 keeps the planner from joining all waiting runs with all ranges.
          CROSS JOIN LATERAL (SELECT submitter FROM docgauge_takeable(at, rubric, queued_before, held) WHERE domain > busy AND domain < next_busy OFFSET 0) waiting
          JOIN queue_turns ON queue_turns.submitter = waiting.submitter
          WHERE queue_turns.class = of_class AND queue_turns.turn >= from_turn;
        IF place IS NULL THEN RETURN; END IF;
      END LOOP;
    END $$`

  // Deletes submitters without runs from some places before a turn, so that no search passes them and one that comes back goes to the
  // end; but none for whom a transaction is offering a run: that holds its lock. Every other time they are the first places, which the
  // search passes soonest, and else any, because idle ones behind many busy domains are not among the first.
  yield* sql`
    CREATE OR REPLACE FUNCTION docgauge_drop_idle_turns (of_class smallint, before_turn bigint, places integer) RETURNS void LANGUAGE plpgsql AS $$
    DECLARE
      idle text;
      from_turn bigint := 0;
    BEGIN
      IF random() < 0.5 THEN
        SELECT min(turn) + floor(random() * (max(turn) - min(turn))) INTO from_turn FROM queue_turns WHERE class = of_class AND turn < before_turn;
      END IF;
      FOR idle IN
        SELECT submitter FROM (SELECT submitter FROM queue_turns WHERE class = of_class AND turn >= from_turn AND turn < before_turn ORDER BY turn LIMIT places) passed
        -- Not NOT EXISTS, for which PostgreSQL may read the runs of all submitters at once.
        WHERE (SELECT 1 FROM runs WHERE runs.submitter = passed.submitter AND runs.status IN ('pending', 'running') LIMIT 1) IS NULL
      LOOP
        IF pg_try_advisory_xact_lock(hashtextextended('submitter ' || idle, 0)) THEN
          -- Looked for again, because a run may have been offered before the lock was free.
          DELETE FROM queue_turns WHERE submitter = idle
            AND NOT EXISTS (SELECT 1 FROM runs WHERE runs.submitter = idle AND runs.status IN ('pending', 'running'));
        END IF;
      END LOOP;
    END $$`

  // Takes the next run and the lease of its domain; NULL if there is none. The search before the lock finds where the one under the
  // lock begins, so that others do not wait while it passes runs whose domains are busy.
  yield* sql`
    CREATE OR REPLACE FUNCTION docgauge_claim (for_worker text, lease_ms double precision, for_rubric text, held uuid[], live_ms double precision)
    RETURNS bigint LANGUAGE plpgsql AS $$
    DECLARE
      at double precision := EXTRACT(EPOCH FROM clock_timestamp()) * 1000;
      rubrics text[];
      queued_befores double precision[];
      places bigint[];
      state queue_state%ROWTYPE;
      its smallint;
      next record;
    BEGIN
      -- A claim that is lost with the server was not begun yet, because the commit that begins it makes this one durable, too.
      PERFORM set_config('synchronous_commit', 'off', true);
      SELECT array_agg(accepted.rubric), array_agg(accepted.queued_before) INTO rubrics, queued_befores
        FROM docgauge_accepted(at, for_rubric, live_ms) accepted;
      places := ARRAY[
        (SELECT turn FROM docgauge_next_turn(0::smallint, 0, at, rubrics, queued_befores, held)),
        (SELECT turn FROM docgauge_next_turn(1::smallint, 0, at, rubrics, queued_befores, held))
      ];
      FOREACH its IN ARRAY ARRAY[0, 1]::smallint[] LOOP
        PERFORM docgauge_drop_idle_turns(its, COALESCE(places[its + 1], 9223372036854775807), 100);
      END LOOP;
      IF places[1] IS NULL AND places[2] IS NULL THEN RETURN NULL; END IF;
      UPDATE queue_state SET turn = nextval('queue_turn_numbers') RETURNING * INTO state;
      at := EXTRACT(EPOCH FROM clock_timestamp()) * 1000;
      FOREACH its IN ARRAY CASE state.last_class WHEN 0 THEN ARRAY[1, 0]::smallint[] ELSE ARRAY[0, 1]::smallint[] END LOOP
        CONTINUE WHEN places[its + 1] IS NULL;
        SELECT * INTO next FROM docgauge_next_turn(its, places[its + 1], at, rubrics, queued_befores, held);
        CONTINUE WHEN NOT FOUND;
        INSERT INTO audit_leases (domain, run_id, worker, expires_at) VALUES (next.domain, next.run_id::text, for_worker, at + lease_ms)
          ON CONFLICT (domain) DO UPDATE SET run_id = excluded.run_id, worker = excluded.worker, expires_at = excluded.expires_at
          WHERE audit_leases.expires_at <= at;
        CONTINUE WHEN NOT FOUND;
        UPDATE queue_turns SET turn = state.turn WHERE submitter = next.submitter;
        IF its <> state.last_class THEN UPDATE queue_state SET last_class = its; END IF;
        RETURN next.run;
      END LOOP;
      RETURN NULL;
    END $$`
})
