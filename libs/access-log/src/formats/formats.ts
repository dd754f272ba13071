import { apacheFormats } from './apache.js';
import { caddy } from './caddy.js';
import type { JsonFormat, LogFormat, TextFormat } from './log-format.js';

/** Formats of JSON objects, those that are told by more of their members first. */
export const JSON_FORMATS: readonly JsonFormat[] = [caddy];

/** Formats of text, those that are told by their header lines or by more of their fields first. */
export const TEXT_FORMATS: readonly TextFormat[] = [...apacheFormats];

export const LOG_FORMATS: readonly LogFormat[] = [...TEXT_FORMATS, ...JSON_FORMATS];
