import { host, integer, isTerminal, LOG_LEVELS, readEnvironment, str, words } from '#libs/platform';

const A_BILLION = 1_000_000_000;

/** @throws ConfigurationError with every fault. */
export function readSettings(source?: NodeJS.ProcessEnv) {
  const settings = readEnvironment(
    {
      DATABASE_URL: str({ desc: 'PostgreSQL, 15 or later' }),
      PORT: integer({ min: 0, max: 65_535 })({ default: 3000, desc: 'Port to listen on' }),
      HOST: host({ default: '127.0.0.1', desc: 'Address to listen on; 0.0.0.0 for all' }),
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
    },
    source,
  );
  return { ...settings, pretty: isTerminal() };
}

/** The rate of {@link readSettings}, or null for no limit. */
export function visitRate({
  RATE_LIMIT_VISITS_PER_SECOND: perSecond,
  RATE_LIMIT_BURST: burst,
}: {
  RATE_LIMIT_VISITS_PER_SECOND: number;
  RATE_LIMIT_BURST: number;
}) {
  return perSecond === 0 ? null : { perSecond, burst: burst || perSecond * 10 };
}
