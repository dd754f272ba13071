import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { createLogger, errorMessage, NestLogger } from '#libs/platform';
import { startTestDatabase, type TestDatabase } from '../../../test/kit/database.js';

const SECRET = 'a-password-hash-of-somebody';

describe('log lines for failed statements', () => {
  let database: TestDatabase;
  const errors: Error[] = [];

  beforeAll(async () => {
    database = await startTestDatabase();
    const { dataSource } = database;
    await dataSource.query('CREATE TABLE secrets (id text PRIMARY KEY, number integer, CHECK (number < 1000))');
    await dataSource.query('INSERT INTO secrets VALUES ($1)', [SECRET]);
    for (const [statement, ...parameters] of [
      ['SELECT $1::uuid', SECRET],
      ['SELECT $1::jsonb', `{"a": ${SECRET}`],
      ['INSERT INTO secrets VALUES ($1)', SECRET],
      ['INSERT INTO secrets VALUES ($1, 5000)', `${SECRET}-other`],
      ['SELECT $1::text FROM nowhere', SECRET],
      ['SELECT $1::timestamptz', `2026-01-01 ${SECRET}`],
    ] as const) {
      errors.push(await dataSource.query(statement, parameters).catch((error: Error) => error));
    }
  });
  afterAll(() => database.stop());

  it.each([false, true])('logs failed statements without their parameters (pretty: %s)', async (pretty) => {
    const destination = new PassThrough();
    const logger = createLogger({ service: 'test', level: 'trace', pretty, destination });
    const nest = new NestLogger(logger);
    for (const error of errors) {
      expect(JSON.stringify(error)).toContain(SECRET);
      logger.error(error);
      logger.error({ err: error }, 'as err');
      logger.warn({ err: new Error(`around: ${error.message}`, { cause: error }) }, 'as a cause');
      logger.info({ details: [{ error }] }, 'nested in a log line');
      logger.info({ err: error });
      logger.info('as an argument: %o', error);
      logger.child({}).fatal(error, 'from a child logger');
      nest.error(error);
      nest.error(errorMessage(error), error.stack, 'Nest');
      nest.warn(error);
    }
    destination.end();
    const lines = await text(destination);
    expect(lines).toContain('QueryFailedError');
    expect(lines).toContain('invalid input syntax for type uuid');
    expect(lines).toContain('22P02');
    expect(lines).toContain('logged-query.int.spec');
    expect(lines).not.toContain(SECRET);
  });
});
