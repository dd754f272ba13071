import { parseLine, type ApacheFormat } from '../line-parser.js';
import { readLine } from '../plain-line.js';
import type { TextFormat } from './log-format.js';

const LIMITS = 'No durations. Headers are limited to user agent and referer.';

function apacheFormat(name: ApacheFormat, title: string, limits = LIMITS): TextFormat {
  return {
    kind: 'text',
    name,
    title,
    verifiedBy: 'addresses',
    limits,
    recognizes: (text) => 'line' in parseLine(text, name),
    open: () => (text, finished) => readLine(text, name, finished),
  };
}

/** Predefined formats in Apache httpd and nginx (httpd.apache.org/docs/2.4/mod/mod_log_config.html). */
export const apacheFormats: readonly TextFormat[] = [
  apacheFormat('vhost-combined', 'Apache and nginx, combined with virtual host'),
  apacheFormat('combined', 'Apache and nginx, combined'),
  apacheFormat(
    'common',
    'Apache and nginx, common',
    'No user agents, so agents are identified by address only. No durations and no headers.',
  ),
];
