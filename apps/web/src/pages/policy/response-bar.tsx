import { formatCount } from '../../format/count.js';
import { CONTROL_LABELS, type ControlKind } from './controls.js';
import classes from './policy.module.css';
import type { PolicyRow } from './policy-rows.js';

type Response = ControlKind | 'redirect' | 'dry_run';

const LABELS: Record<Response, string> = {
  allow: 'Allowed',
  dry_run: 'Allowed, with a dry run',
  ask: 'Asked not to visit',
  redirect: 'Redirected',
  slow_down: CONTROL_LABELS.slow_down,
  charge: CONTROL_LABELS.charge,
  refuse: 'Blocked',
};

/** Visits of the last 30 days by the published response to their type. */
export function ResponseBar({ rows }: { rows: readonly PolicyRow[] }) {
  const parts = (Object.keys(LABELS) as Response[])
    .map((response) => ({
      response,
      visits: rows.filter((row) => getResponse(row) === response).reduce((sum, { visits }) => sum + visits, 0),
    }))
    .filter(({ visits }) => visits > 0);
  const total = parts.reduce((sum, { visits }) => sum + visits, 0);
  if (total === 0) return null;
  return (
    <div>
      <div className={classes['bar']} aria-hidden="true">
        {parts.map(({ response, visits }) => (
          <span key={response} data-response={response} style={{ flexGrow: visits }} />
        ))}
      </div>
      <ul className={classes['legend']} aria-label="Visits in 30 days by response">
        {parts.map(({ response, visits }) => (
          <li key={response}>
            <span className={classes['mark']} data-response={response} aria-hidden="true" />
            {LABELS[response]} <b>{formatCount(visits)}</b>
          </li>
        ))}
      </ul>
    </div>
  );
}

function getResponse({ control: { kind, mode, liveAction } }: PolicyRow): Response {
  if (mode === 'live' || kind === 'ask') return kind;
  return liveAction === null || liveAction.kind === 'allow' ? 'dry_run' : liveAction.kind;
}
