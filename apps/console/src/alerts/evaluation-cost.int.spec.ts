import { ALERT_KIND_NAMES } from '#libs/contracts';
import { AlertConditionsRepository } from '#libs/visit-store';
import { startTestDatabase, type TestDatabase } from '../../../../test/kit/database.js';
import { ConditionsRepository } from './conditions.repository.js';
import { AlertEvaluationRepository } from './evaluation.repository.js';

/** An arbitrary time at which a quarter hour is due for evaluation. */
const NOW = Date.parse('2026-11-20T09:17:00Z');

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
  // Audit entries for thousands of alerts would take up most of the test's time.
  await query('ALTER TABLE alerts DISABLE TRIGGER USER');
});
afterAll(() => database?.stop());

const query = (sql: string, parameters: unknown[] = []) => database.dataSource.query(sql, parameters);

it('executes the same number of statements for 1,000 projects as for one', async () => {
  const statements = async (): Promise<number> => {
    let count = 0;
    const countQueries = (manager: { query: (...args: [string, unknown[]]) => Promise<unknown> }) => ({
      query: (...args: [string, unknown[]]) => ((count += 1), manager.query(...args)),
    });
    const countingDataSource = {
      ...countQueries(database.dataSource),
      transaction: (work: (manager: object) => Promise<unknown>) =>
        database.dataSource.transaction((manager) => work(countQueries(manager))),
    } as never;
    const conditions = new ConditionsRepository(countingDataSource, new AlertConditionsRepository(countingDataSource));
    await new AlertEvaluationRepository(countingDataSource, conditions).evaluateNext(NOW, async () => undefined);
    await query('TRUNCATE alert_evaluation, alert_events, alert_event_reads');
    return count;
  };
  const addProjects = (projectCount: number) =>
    query(
      `WITH made AS (
         INSERT INTO projects (id, name) SELECT gen_random_uuid(), 'Shop' FROM generate_series(1, $1::int) RETURNING id
       )
       INSERT INTO alerts (id, project_id, kind, threshold, minimum, window_minutes, cooldown_minutes, recovery_minutes)
       SELECT gen_random_uuid(), made.id, kind, 1, 1, 60, 60, 60 FROM made, unnest($2::text[]) kind`,
      [projectCount, ALERT_KIND_NAMES],
    );
  await addProjects(1);
  const statementsForOne = await statements();
  await addProjects(999);
  expect(await statements()).toBe(statementsForOne);
});
