import { Button, Group, Text } from '@mantine/core';
import { useId } from 'react';
import type { PolicyAction } from '#libs/contracts';
import { isSameContent } from '../../api/is-same-content.js';
import { SmallSelect } from '../../ui/small-select.js';
import { TextLink } from '../../ui/text-link.js';
import { canDryRun, CONTROL_LABELS, type Choice, type ControlKind } from '../../rules/controls.js';
import classes from './policy.module.css';
import type { PolicyRow } from './policy-rows.js';
import { ResponseIcon } from './response-icon.js';
import { describeAction } from '../../rules/rule-text.js';

const DEFAULT_REQUESTS_PER_MINUTE = 60;
const OPTIONS = Object.entries(CONTROL_LABELS).map(([value, label]) => ({ value, label }));
const REDIRECT = { value: 'redirect', label: 'Redirect (by a rule)' };

interface ControlCellProps {
  projectId: string;
  row: PolicyRow;
  isReader: boolean;
  onChoice: (choice: Choice | undefined) => void;
  /** Stages the rule in dry run as live. */
  onLive: () => void;
}

/** Returns the action that a kind starts with. */
function createAction(kind: ControlKind, current: PolicyAction | null): Choice['action'] {
  if (current?.kind === kind) return current as Choice['action'];
  if (kind === 'slow_down') return { kind, requests_per_minute: DEFAULT_REQUESTS_PER_MINUTE };
  if (kind === 'charge') return { kind, price: 'USD 0.01', url: '' };
  return { kind };
}

const isUrl = (text: string): boolean => /^https?:\/\//.test(text) && URL.canParse(text);

const hasPrice = ({ price }: { price: string }): boolean => price.trim() !== '';

/** Returns an error message, or null if the choice can be published. */
export function validateChoice({ action }: Choice): string | null {
  if (action.kind === 'slow_down') {
    const limit = action.requests_per_minute;
    return Number.isInteger(limit) && limit >= 1 && limit <= 100_000 ? null : 'Enter a whole number from 1 to 100,000.';
  }
  if (action.kind !== 'charge') return null;
  if (!hasPrice(action)) return 'Enter a price.';
  return isUrl(action.url) ? null : 'Enter the http or https URL of your price list.';
}

/** Select for the site's response to agents of a type, with fields for the limit or the price. */
export function ControlCell({ projectId, row, isReader, onChoice, onLive }: ControlCellProps) {
  const { type, control, choice } = row;
  const kind = choice?.action.kind ?? control.kind;
  const action: Choice['action'] =
    choice?.action ?? (control.kind === 'redirect' ? { kind: 'allow' } : createAction(control.kind, control.action));
  const change = (next: Choice['action']): void => {
    const isCurrent = next.kind === control.kind && isSameContent(next, createAction(next.kind, control.action));
    // A changed action can start in dry run, even if the previous one was about to go live.
    onChoice(isCurrent ? undefined : { ruleId: choice?.ruleId ?? crypto.randomUUID(), action: next });
  };
  const errorId = useId();
  const error = choice === undefined ? null : validateChoice(choice);
  const invalid = (isInvalid: boolean) => (isInvalid ? { 'aria-invalid': true, 'aria-describedby': errorId } : {});
  const isDryRun = choice === undefined && control.mode === 'dry_run' && control.kind !== 'allow';
  const others = row.exceptions.length > 0 && (
    <Text span size="sm" c="dimmed">
      for all others
    </Text>
  );
  if (isReader) {
    return (
      <>
        <div className={classes['main']}>
          <ResponseIcon kind={kind} isDryRun={isDryRun} />
          {control.kind === 'redirect' ? REDIRECT.label : CONTROL_LABELS[control.kind]}
          {others}
        </div>
        <Notes projectId={projectId} row={row} />
      </>
    );
  }
  return (
    <div className={classes['control']} data-changed={choice !== undefined || undefined}>
      <div className={classes['main']}>
        <ResponseIcon kind={kind} isDryRun={isDryRun} />
        <SmallSelect
          aria-label={`Response to ${type}`}
          value={kind}
          options={kind === 'redirect' ? [...OPTIONS, REDIRECT] : OPTIONS}
          onChange={(value) => value !== 'redirect' && change(createAction(value as ControlKind, control.action))}
        />
        {kind === 'slow_down' && action.kind === 'slow_down' && (
          <label className={classes['field']}>
            <span className="unseen">Requests per minute for {type}</span>
            <input
              type="number"
              min={1}
              max={100_000}
              value={action.requests_per_minute || ''}
              {...invalid(error !== null)}
              onChange={({ currentTarget }) => change({ ...action, requests_per_minute: Number(currentTarget.value) })}
            />
            a minute
          </label>
        )}
        {others}
        {isDryRun && (
          <Button size="compact-xs" variant="default" onClick={onLive}>
            Go live<span className="unseen"> with {type}</span>
          </Button>
        )}
      </div>
      {kind === 'charge' && action.kind === 'charge' && (
        <Group gap={6} mt={6} ml={24}>
          <input
            aria-label={`Price for ${type}`}
            className={classes['text']}
            maxLength={200}
            value={action.price}
            {...invalid(error !== null && !hasPrice(action))}
            onChange={({ currentTarget }) => change({ ...action, price: currentTarget.value })}
          />
          <input
            aria-label={`URL of the price list for ${type}`}
            className={classes['text']}
            type="url"
            placeholder="https://example.com/pricing"
            maxLength={2_048}
            value={action.url}
            {...invalid(error !== null && !isUrl(action.url))}
            onChange={({ currentTarget }) => change({ ...action, url: currentTarget.value.trim() })}
          />
        </Group>
      )}
      {error !== null && (
        <Text id={errorId} size="xs" c="var(--mantine-color-error)" role="alert">
          {error}
        </Text>
      )}
      <Notes projectId={projectId} row={row} />
    </div>
  );
}

function Notes({ projectId, row: { control, choice } }: Pick<ControlCellProps, 'projectId' | 'row'>) {
  const notes =
    choice === undefined
      ? [
          ...(control.liveAction === null
            ? []
            : [`Currently live: ${describeAction({ action: control.liveAction })}.`]),
          ...(control.isBlockedByRobots ? ['A connected proxy also blocks these agents.'] : []),
        ]
      : [
          choice.mode === 'live'
            ? 'Live once published.'
            : canDryRun(choice)
              ? 'Not published yet.'
              : 'Not published. Goes live right away.',
        ];
  return (
    <div className={classes['notes']}>
      {choice === undefined && control.mode === 'dry_run' && control.rule !== null && (
        <Text size="xs" c="dimmed">
          Dry run: counted, not enforced.{' '}
          <TextLink
            to="/projects/$projectId/policy/rules/$ruleId"
            params={{ projectId, ruleId: control.rule.id }}
            inherit
          >
            See the effect<span className="unseen"> of {control.rule.name}</span>
          </TextLink>
        </Text>
      )}
      {notes.map((note) => (
        <Text key={note} size="xs" c="dimmed">
          {note}
        </Text>
      ))}
    </div>
  );
}
