import { readFileSync } from 'node:fs';
import {
  cleanEnv,
  EnvError,
  makeValidator,
  type CleanedEnvAccessors,
  type CleanedEnv,
  type ValidatorSpec,
  host,
  str,
} from 'envalid';
import { LOG_LEVELS } from './logger.js';
import { tracingSettings } from './tracing/tracing-settings.js';

export { bool, str, url } from 'envalid';

/** Thrown for an invalid configuration. The message lists all problems, one per line. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError';
}

export const words = makeValidator<string[]>((text) =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== ''),
);

export const integer = ({ min, max }: { min: number; max: number }) =>
  makeValidator<number>((text) => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < min || value > max) {
      throw new EnvError(`must be an integer from ${min} to ${max} (got ${JSON.stringify(text)})`);
    }
    return value;
  });

/**
 * Validates a secret of at least `min` characters that is safe in an HTTP header. Error messages never contain the
 * value.
 */
export const secret = (min: number) =>
  makeValidator<string>((text) => {
    if (text.length < min) throw new EnvError(`must have at least ${min} characters`);
    if (!/^[\x21-\x7e]+$/.test(text)) throw new EnvError('must contain only printable ASCII characters without spaces');
    return text;
  });

/** Validates a password that people type: any characters on one line. Error messages never contain the value. */
export const password = ({ min, max }: { min: number; max: number }) =>
  makeValidator<string>((text) => {
    if (text.length < min || text.length > max) throw new EnvError(`must have ${min} to ${max} characters`);
    if (/\p{Cc}/u.test(text)) throw new EnvError('must not contain control characters');
    return text;
  });

/** @param pattern Regular expression that the address must match. */
export const emailAddress = (pattern: string) =>
  makeValidator<string>((text) => {
    if (text.length > 254 || !new RegExp(pattern).test(text)) throw new EnvError('must be an email address');
    return text;
  });

/**
 * Validates a server URL with one of the given protocols. Error messages never contain the value because it may include
 * a password.
 */
export const serverUrl = (...protocols: string[]) =>
  makeValidator<string>((text) => {
    const address = URL.parse(text);
    if (address === null || !protocols.includes(address.protocol.slice(0, -1)) || address.hostname === '') {
      throw new EnvError(`must be a URL like ${protocols.map((name) => `${name}://host:port`).join(' or ')}`);
    }
    return text;
  });

/** Settings that all services share. Spread them into a specification for {@link readEnvironment}. */
export const serviceSettings = (defaultPort: number) => ({
  PORT: integer({ min: 0, max: 65_535 })({ default: defaultPort, desc: 'Port to listen on' }),
  HOST: host({ default: '127.0.0.1', desc: 'Address to listen on. Use 0.0.0.0 for all interfaces' }),
  LOG_LEVEL: str({ choices: LOG_LEVELS, default: 'info', desc: 'Minimum log level' }),
  LOG_FORMAT: str({
    choices: ['auto', 'json', 'pretty'],
    default: 'auto',
    desc: 'Log format. auto: pretty on a terminal, otherwise JSON',
  }),
  METRICS_TOKEN: secret(20)({
    default: undefined,
    desc: 'Bearer token for reading /metrics from other machines, at least 20 characters',
  }),
  ...tracingSettings,
});

/**
 * Reads settings from environment variables. `NAME_FILE` can name a file that contains the value of `NAME`. Blank
 * variables and empty files count as unset.
 *
 * @throws {ConfigurationError} listing all invalid settings.
 */
export function readEnvironment<S extends Record<string, ValidatorSpec<unknown>>>(
  specification: S,
  source: NodeJS.ProcessEnv = process.env,
): Omit<CleanedEnv<S>, keyof CleanedEnvAccessors> {
  const problems: string[] = [];
  const values: Record<string, string> = {};
  for (const name of Object.keys(specification)) {
    const value = source[name]?.trim();
    const file = source[`${name}_FILE`]?.trim();
    if (value) values[name] = value;
    if (value && file) problems.push(`${name} and ${name}_FILE are both set. Use only one`);
    else if (file) {
      try {
        const content = readFileSync(file, 'utf8').trim();
        if (content) values[name] = content;
      } catch (error) {
        problems.push(`${name}_FILE: ${(error as Error).message}`);
      }
    }
  }
  const settings = cleanEnv(values, specification, {
    reporter: ({ errors }) => {
      for (const [name, error] of Object.entries(errors)) {
        if (error) problems.push(`${name}: ${error.message || 'is required'}`);
      }
    },
  });
  if (problems.length > 0) throw new ConfigurationError(`The configuration is invalid:\n  ${problems.join('\n  ')}`);
  return settings;
}

/** Returns whether to format logs for human readers. With `auto`, this is the case if stdout is a terminal. */
export const isPretty = (format: string): boolean =>
  format === 'pretty' || (format === 'auto' && process.stdout.isTTY === true && process.env['TERM'] !== 'dumb');
