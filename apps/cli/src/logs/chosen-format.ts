import {
  customFormat,
  DirectiveError,
  LOG_FORMATS,
  mappedFormat,
  readMapping,
  withColumns,
  type LogFormat,
} from '#libs/access-log';
import { CliError, EXIT } from '../cli-error.js';

export interface FormatOptions {
  format?: string;
  logFormat?: string;
  fields?: string;
  /** `field=key` pairs for a custom JSON format. */
  map?: string[];
}

/**
 * Returns the chosen format, or null to detect it from the lines.
 *
 * @throws CliError if the options are invalid.
 */
export function chosenFormat({ format, logFormat, fields, map }: FormatOptions): LogFormat | null {
  if (map !== undefined) return ownJson(map);
  const named = logFormat === undefined ? formatNamed(format) : ownFormat(logFormat);
  if (fields === undefined) return named;
  const withFields = named?.kind === 'text' ? withColumns(named, fields) : null;
  if (withFields === null) {
    throw usageError(
      `--fields names the columns of --format cloudfront, cloudfront-real-time or iis, or the headers that haproxy captures (got --format ${format ?? 'none'}).`,
    );
  }
  if ('reason' in withFields) throw usageError(`--fields: ${withFields.reason} (got "${fields}").`);
  return withFields.format;
}

const formatNamed = (name: string | undefined): LogFormat | null =>
  LOG_FORMATS.find((format) => format.name === name) ?? null;

function ownFormat(directive: string): LogFormat {
  try {
    return customFormat(directive);
  } catch (error) {
    if (!(error instanceof DirectiveError)) throw error;
    throw usageError(`--log-format: ${error.message}`);
  }
}

function ownJson(map: string[]): LogFormat {
  const result = readMapping(map);
  if ('mapping' in result) return mappedFormat(result.mapping);
  throw usageError(`--map does not say where each field is:\n${result.faults.map((fault) => `  ${fault}`).join('\n')}`);
}

const usageError = (message: string): CliError => new CliError(message, { exitCode: EXIT.usage });
