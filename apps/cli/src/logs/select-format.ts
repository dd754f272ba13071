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
  /** Mapping of a custom JSON format, as `field=key` pairs. */
  map?: string[];
}

/**
 * Returns the selected format, or null if the format should be detected.
 *
 * @throws {CliError} if the options are invalid.
 */
export function selectFormat({ format, logFormat, fields, map }: FormatOptions): LogFormat | null {
  if (map !== undefined) return parseFieldMapping(map);
  const baseFormat = logFormat === undefined ? findFormat(format) : parseFormatDirective(logFormat);
  if (fields === undefined) return baseFormat;
  const withFields = baseFormat?.kind === 'text' ? withColumns(baseFormat, fields) : null;
  if (withFields === null) {
    throw usageError(
      `--fields requires --format cloudfront, cloudfront-real-time, iis or haproxy (got --format ${format ?? 'none'}).`,
    );
  }
  if ('reason' in withFields) throw usageError(`--fields: ${withFields.reason} (got "${fields}").`);
  return withFields.format;
}

const findFormat = (name: string | undefined): LogFormat | null =>
  LOG_FORMATS.find((format) => format.name === name) ?? null;

function parseFormatDirective(directive: string): LogFormat {
  try {
    return customFormat(directive);
  } catch (error) {
    if (!(error instanceof DirectiveError)) throw error;
    throw usageError(`--log-format: ${error.message}`);
  }
}

function parseFieldMapping(map: string[]): LogFormat {
  const result = readMapping(map);
  if ('mapping' in result) return mappedFormat(result.mapping);
  throw usageError(`--map is invalid:\n${result.faults.map((fault) => `  ${fault}`).join('\n')}`);
}

const usageError = (message: string): CliError => new CliError(message, { exitCode: EXIT.usage });
