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

/** Invalid configuration. The message lists all faults, one per line. */
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
      throw new EnvError(`must be a whole number from ${min} to ${max}, not ${JSON.stringify(text)}`);
    }
    return value;
  });

/** Secret of at least `min` characters that is valid in an HTTP header. Errors never show its value. */
export const secret = (min: number) =>
  makeValidator<string>((text) => {
    if (text.length < min) throw new EnvError(`must have ${min} characters or more`);
    if (!/^[\x21-\x7e]+$/.test(text)) throw new EnvError('must be printable ASCII without spaces');
    return text;
  });

/** Password that a person types: any characters on one line. Errors never show its value. */
export const password = ({ min, max }: { min: number; max: number }) =>
  makeValidator<string>((text) => {
    if (text.length < min || text.length > max) throw new EnvError(`must have ${min} to ${max} characters`);
    if (/\p{Cc}/u.test(text)) throw new EnvError('must not hold control characters');
    return text;
  });

/** @param pattern Regular expression that the address must match. */
export const emailAddress = (pattern: string) =>
  makeValidator<string>((text) => {
    if (text.length > 254 || !new RegExp(pattern).test(text)) throw new EnvError('must be an e-mail address');
    return text;
  });

/** Server URL with one of the given protocols. Errors never show its value, which may contain a password. */
export const serverUrl = (...protocols: string[]) =>
  makeValidator<string>((text) => {
    const address = URL.parse(text);
    if (address === null || !protocols.includes(address.protocol.slice(0, -1)) || address.hostname === '') {
      throw new EnvError(`must be an address like ${protocols.map((name) => `${name}://host:port`).join(' or ')}`);
    }
    return text;
  });

/** Settings of every service. Spread them into a specification for {@link readEnvironment}. */
export const serviceSettings = (defaultPort: number) => ({
  PORT: integer({ min: 0, max: 65_535 })({ default: defaultPort, desc: 'Port to listen on' }),
  HOST: host({ default: '127.0.0.1', desc: 'Address to listen on; 0.0.0.0 for all' }),
  LOG_LEVEL: str({ choices: LOG_LEVELS, default: 'info', desc: 'Least important level that is logged' }),
  LOG_FORMAT: str({
    choices: ['auto', 'json', 'pretty'],
    default: 'auto',
    desc: 'auto: pretty on a terminal, else JSON',
  }),
  METRICS_TOKEN: secret(20)({
    default: undefined,
    desc: 'Bearer token that reads /metrics from other machines, 20 characters or more',
  }),
  ...tracingSettings,
});

/**
 * Reads settings from environment variables. `NAME_FILE` names a file that contains the value of NAME. Blank variables
 * and empty files count as unset.
 *
 * @throws ConfigurationError with all faults.
 */
export function readEnvironment<S extends Record<string, ValidatorSpec<unknown>>>(
  specification: S,
  source: NodeJS.ProcessEnv = process.env,
): Omit<CleanedEnv<S>, keyof CleanedEnvAccessors> {
  const faults: string[] = [];
  const values: Record<string, string> = {};
  for (const name of Object.keys(specification)) {
    const value = source[name]?.trim();
    const file = source[`${name}_FILE`]?.trim();
    if (value) values[name] = value;
    if (value && file) faults.push(`${name} and ${name}_FILE are both set: use one`);
    else if (file) {
      try {
        const content = readFileSync(file, 'utf8').trim();
        if (content) values[name] = content;
      } catch (error) {
        faults.push(`${name}_FILE: ${(error as Error).message}`);
      }
    }
  }
  const settings = cleanEnv(values, specification, {
    reporter: ({ errors }) => {
      for (const [name, error] of Object.entries(errors)) {
        if (error) faults.push(`${name}: ${error.message || 'is required'}`);
      }
    },
  });
  if (faults.length > 0) throw new ConfigurationError(`The configuration has faults:\n  ${faults.join('\n  ')}`);
  return settings;
}

/** Returns true if logs are for a person: by LOG_FORMAT or, with `auto`, if standard output is a terminal. */
export const isPretty = (format: string): boolean =>
  format === 'pretty' || (format === 'auto' && process.stdout.isTTY === true && process.env['TERM'] !== 'dumb');
