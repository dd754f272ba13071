import type { PolicyEffect } from '#libs/contracts';
import { formatDuration } from '#libs/contracts/duration';
import { count, escapeInvisible, localTime, plural, renderTable } from '../terminal-text.js';

type Agent = PolicyEffect['agents'][number];

/** Describes the effect of a rule for a terminal. */
export function renderEffect(effect: PolicyEffect): string {
  const { agents, agents_total: total, counted_from: countedFrom, people, referrals } = effect;
  return [
    effect.live_since === null
      ? 'This rule was never live.'
      : `Live since ${localTime(effect.live_since)}${effect.live_until === null ? '' : ` until ${localTime(effect.live_until)}`}.`,
    renderTable(
      ['MODE', 'CHECKED', 'ALLOWED', 'SLOWED', 'REDIRECTED', 'CHARGED', 'REFUSED'],
      (['live', 'dry_run'] as const).map((mode) => {
        const { allowed, slowed, redirected, charged, refused } = effect[mode];
        const outcomes = [allowed, slowed, redirected, charged, refused];
        const checked = outcomes.reduce((sum, decisions) => sum + decisions, 0);
        return [mode === 'live' ? 'live' : 'dry run', ...[checked, ...outcomes].map(count)];
      }),
    ),
    ...(countedFrom === effect.from ? [] : [`Only visits since ${localTime(countedFrom)} were read.`]),
    ...(agents.length === 0
      ? ['No stored visit has a live decision of this rule to slow, charge or refuse it.']
      : [
          renderTable(
            ['VISITOR', 'REFUSED', 'EARLY', 'AFTER WAIT', 'CAME BACK', 'NOT AGAIN', 'AS SOMEONE ELSE', 'SAVED'],
            agents.map(renderAgent),
          ),
          ...(total > agents.length ? [`${plural(total - agents.length, 'other visitor')} not shown.`] : []),
          `Saved (estimate): ${toMegabytes(effect.saved_bytes)}, server time ${toDuration(effect.saved_milliseconds)}. Each agent's median served response × its requests.`,
        ]),
    ...(referrals?.operators ?? []).map(
      ({ operator_name: operator, before, after }) =>
        `Referrals by ${escapeInvisible(operator)} in ${referrals!.days.toFixed(1)} days: ${count(before)} before, ${count(after)} after.`,
    ),
    `Possibly people: ${plural(people.visits, 'visit')} by unknown visitors with a browser's full headers.`,
    ...people.examples.map(
      (visit) => `  ${visit.visit_id}  ${localTime(visit.occurred_at)}  ${escapeInvisible(visit.path)}`,
    ),
  ].join('\n');
}

function renderAgent({
  agent_token: token,
  is_spoofed: isSpoofed,
  came_back: cameBack,
  as_others: others,
  ...agent
}: Agent) {
  const name = agent.agent_id === null ? 'unknown visitors' : (token ?? agent.agent_id);
  return [
    `${isSpoofed ? 'claims to be ' : ''}${escapeInvisible(name)}`,
    count(cameBack.requests),
    count(cameBack.inside_retry_after),
    count(cameBack.after_retry_after),
    count(cameBack.without_retry_after),
    count(cameBack.not_again),
    count(others.reduce((sum, one) => sum + one.network_visits, 0)),
    toMegabytes(agent.saved_bytes),
  ];
}

const toMegabytes = (bytes: number | null): string =>
  bytes === null ? 'not reported' : `${(bytes / 1e6).toFixed(1)} MB`;
const toDuration = (milliseconds: number | null): string =>
  milliseconds === null ? 'not reported' : formatDuration(milliseconds);
