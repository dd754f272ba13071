import { AUTOMATION_VERDICT_TEXTS, RESULTS } from '#libs/agents';
import type { Reidentification, ReidentificationReport } from '#libs/contracts';
import { count, localTime, plural, renderTable, escapeInvisible } from './terminal-text.js';

type Verdict = ReidentificationReport['changes'][number]['from'];

/** Maximum number of rows in the table of changes. */
const MAX_ROWS = 30;

function formatVerdict({ agent_token: token, result, reason, robots, automation, assistant }: Verdict): string {
  if (token === null) {
    const sender = assistant === null ? '' : `, sent by ${escapeInvisible(assistant)}`;
    const isPerson = automation === null || automation === 'unlikely';
    return `unknown${isPerson ? '' : `, ${(AUTOMATION_VERDICT_TEXTS[automation]?.word ?? escapeInvisible(automation)).toLowerCase()}`}${sender}`;
  }
  const label = RESULTS[result].label.toLowerCase();
  const rules = robots === null || robots === 'unknown' ? '' : `, robots.txt: ${escapeInvisible(robots)}`;
  return `${escapeInvisible(token)}, ${label}${reason === null ? '' : ` (${escapeInvisible(reason)})`}${rules}`;
}

/**
 * Describes the new verdict. If it reads the same as the old one, adds that the two differ in details that aren't
 * shown.
 */
function formatNewVerdict(from: Verdict, to: Verdict): string {
  const text = formatVerdict(to);
  return text === formatVerdict(from) ? `${text} (different details)` : text;
}

const STATES: Record<Reidentification['state'], string> = {
  previewing: 'Previewing',
  previewed: 'Preview, nothing was changed',
  applying: 'Applying',
  applied: 'Applied',
  canceled: 'Canceled',
};

const formatState = ({ state, is_paused: isPaused, progress }: Reidentification): string =>
  state === 'previewing' || state === 'applying'
    ? `${STATES[state]}, ${Math.floor(progress * 100)}%${isPaused ? ', paused' : ''}`
    : STATES[state];

export function describeReidentification(found: Reidentification): string {
  const report = found.result ?? found.preview;
  const lines = [`${formatState(found)}: ${found.id}`];
  if (found.error !== null) lines.push(`Paused because of an error: ${escapeInvisible(found.error)}`);
  if (report === null) return lines.join('\n');
  const isDone = found.result !== null;
  lines.push(
    `${plural(report.looked_at, 'visit')} checked, ${count(report.changed)} ${isDone ? 'changed' : 'would change'}`,
  );
  if (report.changes.length > 0) lines.push('', renderChanges(report), '');
  const reusedSteps = Object.values(report.kept_steps).reduce((sum, visits) => sum + visits, 0);
  if (reusedSteps > 0)
    lines.push(`${plural(reusedSteps, 'check')} could not be repeated, so earlier results were reused.`);
  if (report.by_user_agent > 0) {
    lines.push(
      `${plural(report.by_user_agent, 'visit')} identified only by User-Agent, because the project stores no other data about unknown visitors.`,
    );
  }
  if (report.past_retention > 0) {
    lines.push(
      `${plural(report.past_retention, 'visit')} left unchanged, because they are older than the retention period for their new verdict.`,
    );
  }
  return lines.join('\n');
}

function renderChanges({ changes, other_changes: others }: ReidentificationReport): string {
  const rows = changes
    .slice(0, MAX_ROWS)
    .map(({ from, to, visits, last_at: lastAt, visit_ids: ids }) => [
      count(visits),
      formatVerdict(from),
      formatNewVerdict(from, to),
      localTime(lastAt),
      ids[0] ?? '',
    ]);
  const hidden = others + changes.slice(MAX_ROWS).reduce((sum, { visits }) => sum + visits, 0);
  const text = renderTable(['VISITS', 'FROM', 'TO', 'LAST', 'EXAMPLE'], rows);
  return hidden === 0 ? text : `${text}\n${count(hidden)} more`;
}

export const describeReidentifications = (all: readonly Reidentification[]): string =>
  all.length === 0
    ? 'This project has no re-identifications yet.'
    : renderTable(
        ['ID', 'CREATED', 'FROM', 'TO', 'AGENT', 'CHANGED', 'STATE'],
        all.map((found) => [
          found.id,
          localTime(found.created_at),
          localTime(found.from),
          localTime(found.to),
          found.agent === null ? 'all' : escapeInvisible(found.agent),
          count((found.result ?? found.preview)?.changed ?? 0),
          formatState(found),
        ]),
      );
