import { AUTOMATION_WORDS, RESULTS } from '#libs/agents';
import type { Reidentification, ReidentificationReport } from '#libs/contracts';
import { count, localTime, plural, table, visible } from './terminal-text.js';

type Verdict = ReidentificationReport['changes'][number]['from'];

/** Maximum number of rows in the table of changes. */
const MAX_SHOWN = 30;

function verdictText({ agent_token: token, result, reason, robots, automation, assistant }: Verdict): string {
  if (token === null) {
    const sender = assistant === null ? '' : `, sent by ${visible(assistant)}`;
    const isPerson = automation === null || automation === 'unlikely';
    return `unknown${isPerson ? '' : `, ${(AUTOMATION_WORDS[automation]?.word ?? visible(automation)).toLowerCase()}`}${sender}`;
  }
  const label = RESULTS[result].label.toLowerCase();
  const rules = robots === null || robots === 'unknown' ? '' : `, robots.txt: ${visible(robots)}`;
  return `${visible(token)}, ${label}${reason === null ? '' : ` (${visible(reason)})`}${rules}`;
}

/** Describes the new verdict. Marks it if it reads like the old one: details that aren't shown may have changed. */
function afterText(from: Verdict, to: Verdict): string {
  const text = verdictText(to);
  return text === verdictText(from) ? `${text} (different details)` : text;
}

const STATES: Record<Reidentification['state'], string> = {
  previewing: 'Previewing',
  previewed: 'Preview, nothing was changed',
  applying: 'Applying',
  applied: 'Applied',
  canceled: 'Canceled',
};

const stateText = ({ state, is_paused: isPaused, progress }: Reidentification): string =>
  state === 'previewing' || state === 'applying'
    ? `${STATES[state]}, ${Math.floor(progress * 100)} %${isPaused ? ', paused' : ''}`
    : STATES[state];

export function describeReidentification(found: Reidentification): string {
  const report = found.result ?? found.preview;
  const lines = [`${stateText(found)}: ${found.id}`];
  if (found.error !== null) lines.push(`Paused because of an error: ${visible(found.error)}`);
  if (report === null) return lines.join('\n');
  const isDone = found.result !== null;
  lines.push(
    `${plural(report.looked_at, 'visit')} looked at, ${count(report.changed)} ${isDone ? 'changed' : 'would change'}`,
  );
  if (report.changes.length > 0) lines.push('', changesText(report), '');
  const kept = Object.values(report.kept_steps).reduce((sum, visits) => sum + visits, 0);
  if (kept > 0) lines.push(`${plural(kept, 'check')} could not be repeated, so the earlier outcome counts.`);
  if (report.by_user_agent > 0) {
    lines.push(
      `${plural(report.by_user_agent, 'visit')} identified by User-Agent alone: the project keeps no more of unknown visitors.`,
    );
  }
  if (report.past_retention > 0) {
    lines.push(
      `${plural(report.past_retention, 'visit')} left unchanged: visits of what they would become are not kept for so long.`,
    );
  }
  return lines.join('\n');
}

function changesText({ changes, other_changes: others }: ReidentificationReport): string {
  const rows = changes
    .slice(0, MAX_SHOWN)
    .map(({ from, to, visits, last_at: lastAt, visit_ids: ids }) => [
      count(visits),
      verdictText(from),
      afterText(from, to),
      localTime(lastAt),
      ids[0] ?? '',
    ]);
  const hidden = others + changes.slice(MAX_SHOWN).reduce((sum, { visits }) => sum + visits, 0);
  const text = table(['VISITS', 'FROM', 'TO', 'LAST', 'FOR EXAMPLE'], rows);
  return hidden === 0 ? text : `${text}\n${count(hidden)} more`;
}

export const describeReidentifications = (all: readonly Reidentification[]): string =>
  all.length === 0
    ? 'No visits of this project have been identified again yet.'
    : table(
        ['ID', 'CREATED', 'FROM', 'TO', 'AGENT', 'CHANGED', 'STATE'],
        all.map((found) => [
          found.id,
          localTime(found.created_at),
          localTime(found.from),
          localTime(found.to),
          found.agent === null ? 'all' : visible(found.agent),
          count((found.result ?? found.preview)?.changed ?? 0),
          stateText(found),
        ]),
      );
