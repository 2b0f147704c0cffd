import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"

/**
 * What PostgreSQL does in one statement to take the next run, so that the order of turns is locked for one statement of the server
 * and not for several round trips. `PostgresTurns.ts` calls it.
 */
export const createQueueFunctions = Effect.fnUntraced(function*(sql: SqlClient) {
  yield* sql`CREATE SEQUENCE queue_turn_numbers`
  yield* sql`SELECT setval('queue_turn_numbers', turn + 1) FROM queue_state`

  // The first submitter of a class, in the order of turns, that has a run whose domain is free; and that run. A run that a worker
  // with its rubric could take is left to it, as during a deploy.
  yield* sql`
    CREATE FUNCTION docgauge_next_turn (of_class smallint, from_turn bigint, at double precision, rubric text, held uuid[], live_ms double precision)
    RETURNS TABLE (submitter text, turn bigint, run bigint, run_id uuid, domain text) LANGUAGE plpgsql STABLE AS $$
      #variable_conflict use_column
    BEGIN
      RETURN QUERY
        SELECT queue_turns.submitter::text, queue_turns.turn, waiting.serial, waiting.id, waiting.domain::text
        FROM queue_turns CROSS JOIN LATERAL (
          SELECT runs.serial, runs.id, COALESCE(runs.domain, (SELECT sites.domain FROM sites WHERE sites.serial = runs.site)) AS domain
          FROM runs
          WHERE runs.submitter = queue_turns.submitter AND runs.status IN ('pending', 'running') AND runs.status = 'pending'
            AND COALESCE(runs.domain, (SELECT sites.domain FROM sites WHERE sites.serial = runs.site)) NOT IN (SELECT audit_leases.domain FROM audit_leases WHERE expires_at > at)
            AND runs.id <> ALL (held)
            AND (rubric IS NULL OR runs.rubric_digest = rubric OR (
              runs.started_at <= (at - live_ms) * 1000
              AND NOT EXISTS (SELECT 1 FROM workers WHERE workers.rubric_digest = runs.rubric_digest AND seen_at > at - live_ms)
            ))
          ORDER BY runs.serial LIMIT 1
        ) waiting
        WHERE queue_turns.class = of_class AND queue_turns.turn >= from_turn
        ORDER BY queue_turns.turn LIMIT 1;
    END $$`

  // Deletes submitters without runs from the first places before a turn, so that no search passes them and one that comes back goes
  // to the end; but none for whom a transaction is offering a run: that holds its lock.
  yield* sql`
    CREATE FUNCTION docgauge_drop_idle_turns (of_class smallint, before_turn bigint, places integer) RETURNS void LANGUAGE plpgsql AS $$
    DECLARE idle text;
    BEGIN
      FOR idle IN
        SELECT submitter FROM (SELECT submitter FROM queue_turns WHERE class = of_class AND turn < before_turn ORDER BY turn LIMIT places) passed
        WHERE NOT EXISTS (SELECT 1 FROM runs WHERE runs.submitter = passed.submitter AND runs.status IN ('pending', 'running'))
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
    CREATE FUNCTION docgauge_claim (for_worker text, lease_ms double precision, rubric text, held uuid[], live_ms double precision)
    RETURNS bigint LANGUAGE plpgsql AS $$
    DECLARE
      at double precision := EXTRACT(EPOCH FROM clock_timestamp()) * 1000;
      places bigint[] := ARRAY[
        (SELECT turn FROM docgauge_next_turn(0::smallint, 0, at, rubric, held, live_ms)),
        (SELECT turn FROM docgauge_next_turn(1::smallint, 0, at, rubric, held, live_ms))
      ];
      state queue_state%ROWTYPE;
      its smallint;
      next record;
    BEGIN
      -- A claim that is lost with the server was not begun yet, because the commit that begins it makes this one durable, too.
      PERFORM set_config('synchronous_commit', 'off', true);
      -- Rarely all of them, because those behind many busy domains are not among the first.
      FOREACH its IN ARRAY ARRAY[0, 1]::smallint[] LOOP
        PERFORM docgauge_drop_idle_turns(its, COALESCE(places[its + 1], 9223372036854775807), CASE WHEN random() < 0.02 THEN 2147483647 ELSE 100 END);
      END LOOP;
      IF places[1] IS NULL AND places[2] IS NULL THEN RETURN NULL; END IF;
      UPDATE queue_state SET turn = nextval('queue_turn_numbers') RETURNING * INTO state;
      at := EXTRACT(EPOCH FROM clock_timestamp()) * 1000;
      FOREACH its IN ARRAY CASE state.last_class WHEN 0 THEN ARRAY[1, 0]::smallint[] ELSE ARRAY[0, 1]::smallint[] END LOOP
        CONTINUE WHEN places[its + 1] IS NULL;
        SELECT * INTO next FROM docgauge_next_turn(its, places[its + 1], at, rubric, held, live_ms);
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
