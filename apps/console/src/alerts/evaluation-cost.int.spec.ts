import { ALERT_KIND_NAMES } from '#libs/contracts';
import { AlertConditionsRepository } from '#libs/visit-store';
import { startTestDatabase, type TestDatabase } from '../../../../test/kit/database.js';
import { ConditionsRepository } from './conditions.repository.js';
import { AlertEvaluationRepository } from './evaluation.repository.js';

/** Any time at which a quarter hour is due for evaluation. */
const NOW = Date.parse('2026-11-20T09:17:00Z');

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
  // Writing audit entries for thousands of alerts would take most of the test's time.
  await query('ALTER TABLE alerts DISABLE TRIGGER USER');
});
afterAll(() => database?.stop());

const query = (sql: string, parameters: unknown[] = []) => database.dataSource.query(sql, parameters);

it('runs as many statements for 1,000 projects as for one', async () => {
  const statements = async (): Promise<number> => {
    let count = 0;
    const counted = (manager: { query: (...given: [string, unknown[]]) => Promise<unknown> }) => ({
      query: (...given: [string, unknown[]]) => ((count += 1), manager.query(...given)),
    });
    const counting = {
      ...counted(database.dataSource),
      transaction: (work: (manager: object) => Promise<unknown>) =>
        database.dataSource.transaction((manager) => work(counted(manager))),
    } as never;
    const conditions = new ConditionsRepository(counting, new AlertConditionsRepository(counting));
    await new AlertEvaluationRepository(counting, conditions).evaluateNext(NOW, async () => undefined);
    await query('TRUNCATE alert_evaluation, alert_events');
    return count;
  };
  const addProjects = (many: number) =>
    query(
      `WITH made AS (
         INSERT INTO projects (id, name) SELECT gen_random_uuid(), 'Shop' FROM generate_series(1, $1::int) RETURNING id
       )
       INSERT INTO alerts (id, project_id, kind, threshold, minimum, window_minutes, cooldown_minutes, recovery_minutes)
       SELECT gen_random_uuid(), made.id, kind, 1, 1, 60, 60, 60 FROM made, unnest($2::text[]) kind`,
      [many, ALERT_KIND_NAMES],
    );
  await addProjects(1);
  const ofOne = await statements();
  await addProjects(999);
  expect(await statements()).toBe(ofOne);
});
