import { host, integer, isTerminal, LOG_LEVELS, readEnvironment, secret, str, words } from '#libs/platform';

const A_BILLION = 1_000_000_000;

const specification = {
  PORT: integer({ min: 0, max: 65_535 })({ default: 3000, desc: 'Port of the one address that serves everything' }),
  HOST: host({ default: '127.0.0.1', desc: 'Address to listen on; 0.0.0.0 for all' }),
  DATA_DIR: str({ default: './data', desc: 'Where the embedded database and the secrets are kept' }),
  DATABASE_URL: str({ default: undefined, desc: 'A PostgreSQL (15 or later) to use instead of the embedded one' }),
  SECRET_KEY: secret(43)({
    default: undefined,
    desc: '32 bytes, as hex or base64, that encrypt access tokens at rest; made on first start when absent',
  }),
  PROJECT_ACCESS_TOKEN: secret(20)({
    default: undefined,
    desc: "The first project's access token, for automatic set-ups",
  }),
  API_KEY: secret(20)({ default: undefined, desc: 'The first personal API key, for automatic set-ups' }),
  RETENTION_DAYS: integer({ min: 1, max: 3_650 })({ default: 90, desc: 'Days for which visits are kept; counts stay' }),
  REDACTED_HEADERS: words({ default: [], desc: 'Headers to redact in every project, beside the built-in ones' }),
  RATE_LIMIT_VISITS_PER_SECOND: integer({ min: 0, max: A_BILLION })({
    default: 0,
    desc: 'Visits a second that a project may post; 0 is no limit',
  }),
  RATE_LIMIT_BURST: integer({ min: 0, max: A_BILLION })({
    default: 0,
    desc: 'Visits that a project may post at once; 0 is ten seconds of its rate',
  }),
  LOG_LEVEL: str({ choices: LOG_LEVELS, default: 'info', desc: 'Least important level that is logged' }),
  LOG_FORMAT: str({
    choices: ['auto', 'json', 'pretty'],
    default: 'auto',
    desc: 'auto: pretty on a terminal, else JSON',
  }),
};

export type StandaloneSettings = ReturnType<typeof readSettings>;

/** @throws ConfigurationError with every fault. */
export function readSettings(source?: NodeJS.ProcessEnv) {
  const {
    LOG_FORMAT,
    RATE_LIMIT_VISITS_PER_SECOND: perSecond,
    RATE_LIMIT_BURST: burst,
    ...settings
  } = readEnvironment(specification, source);
  return {
    ...settings,
    pretty: LOG_FORMAT === 'pretty' || (LOG_FORMAT === 'auto' && isTerminal()),
    visitRate: perSecond === 0 ? null : { perSecond, burst: burst || perSecond * 10 },
  };
}
