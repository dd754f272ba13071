import { Text } from '@mantine/core';
import type { PermissionMatrixItem } from '../../../api/permissions.js';
import { Icon, type IconName } from '../../../ui/icon.js';
import classes from '../../../ui/verdict.module.css';

type OutcomeName = PermissionMatrixItem['purposes'][number]['outcome'];

const OUTCOMES: Record<NonNullable<OutcomeName>, { label: string; icon: IconName; result: string }> = {
  allowed: { label: 'Allowed', icon: 'check', result: 'verified' },
  conditional: { label: 'With a license', icon: 'open', result: 'not_verifiable' },
  disallowed: { label: 'Not allowed', icon: 'block', result: 'unknown_agent' },
  mixed: { label: 'Differs by agent', icon: 'open', result: 'not_verifiable' },
};

interface OutcomeProps {
  outcome: OutcomeName;
  isOverridden?: boolean;
  /** Text of the most restrictive statement. */
  statement?: string | undefined;
  /** Label of allowed uses. Default: "Allowed". */
  allowedLabel?: string;
}

/** Outcome as an icon and text, so it doesn't depend on color. */
export function Outcome({ outcome, isOverridden = false, statement, allowedLabel }: OutcomeProps) {
  if (outcome === null) {
    return (
      <Text span inherit c="dimmed">
        Not stated
      </Text>
    );
  }
  const { label, icon, result } = OUTCOMES[outcome];
  return (
    <>
      <span className={classes['verdict']} data-result={isOverridden ? 'verification_failed' : result}>
        <Icon name={isOverridden ? 'failed' : icon} size={15} />
        {outcome === 'allowed' && allowedLabel !== undefined ? allowedLabel : label}
      </span>
      {isOverridden && (
        <Text size="xs" fw={500}>
          Contradicted
        </Text>
      )}
      {statement !== undefined && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {statement}
        </Text>
      )}
    </>
  );
}
