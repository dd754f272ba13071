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

/** A configuration that can't be used; the message lists every fault, one a line. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError';
}

/** A list of words, separated by commas. */
export const words = makeValidator<string[]>((text) =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== ''),
);

/** A whole number within bounds. */
export const integer = ({ min, max }: { min: number; max: number }) =>
  makeValidator<number>((text) => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < min || value > max) {
      throw new EnvError(`must be a whole number from ${min} to ${max}, not ${JSON.stringify(text)}`);
    }
    return value;
  });

/** A text of at least `min` characters, fit for an HTTP header, that is never shown. */
export const secret = (min: number) =>
  makeValidator<string>((text) => {
    if (text.length < min) throw new EnvError(`must have ${min} characters or more`);
    if (!/^[\x21-\x7e]+$/.test(text)) throw new EnvError('must be printable ASCII without spaces');
    return text;
  });

/** What somebody types in: any characters on one line, spaces among them; never shown. */
export const password = ({ min, max }: { min: number; max: number }) =>
  makeValidator<string>((text) => {
    if (text.length < min || text.length > max) throw new EnvError(`must have ${min} to ${max} characters`);
    if (/\p{Cc}/u.test(text)) throw new EnvError('must not hold control characters');
    return text;
  });

/** An e-mail address. @param pattern that it has to fit. */
export const emailAddress = (pattern: string) =>
  makeValidator<string>((text) => {
    if (text.length > 254 || !new RegExp(pattern).test(text)) throw new EnvError('must be an e-mail address');
    return text;
  });

/** The address of a server, with one of these protocols; a password in it is never shown. */
export const serverUrl = (...protocols: string[]) =>
  makeValidator<string>((text) => {
    const address = URL.parse(text);
    if (address === null || !protocols.includes(address.protocol.slice(0, -1)) || address.hostname === '') {
      throw new EnvError(`must be an address like ${protocols.map((name) => `${name}://host:port`).join(' or ')}`);
    }
    return text;
  });

/** Settings of every service: to be spread into a specification for {@link readEnvironment}. */
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
 * Reads settings from environment variables. A blank one is the same as an absent one; `NAME_FILE` names a file
 * that holds the value of NAME, or nothing. The types follow from the specification.
 *
 * @throws ConfigurationError with all faults at once.
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

/** Whether logs are for a person: as LOG_FORMAT says, or by whether they go to a terminal. */
export const isPretty = (format: string): boolean =>
  format === 'pretty' || (format === 'auto' && process.stdout.isTTY === true && process.env['TERM'] !== 'dumb');
