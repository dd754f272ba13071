import { Button, Text } from '@mantine/core';
import type { PolicyRule } from '../../api/policy.js';
import type { RulesSelection } from '../../api/rules-queries.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { Section } from '../../ui/section.js';
import { TextLink } from '../../ui/text-link.js';
import { isTypeRule } from './controls.js';
import { describeAction, describeRequests, describeVisitors, MODE_LABELS } from './rule-text.js';

interface ExceptionRow {
  id: string;
  visitors: string;
  requests: string;
  response: string;
  mode: string;
  /** Rule that contains the exception. Null for exclusions from robots.txt. */
  rule: PolicyRule | null;
}

/** Returns the rules that the table can't express, exceptions of rules, and exclusions from robots.txt. */
function createRows(rules: readonly PolicyRule[], selection: RulesSelection): ExceptionRow[] {
  const toRow = (rule: PolicyRule, part: Pick<PolicyRule, 'id' | 'visitors' | 'requests' | 'action'>, who: string) => ({
    id: part.id,
    visitors: who,
    requests: describeRequests(part),
    response: describeAction(part),
    mode: MODE_LABELS[rule.mode],
    rule,
  });
  const exclusions = [
    ...(selection.excluded_agent_tokens ?? []),
    ...(selection.excluded_operator_names ?? []).map((operator) => `agents of ${operator}`),
  ];
  return [
    ...rules.flatMap((rule) => [
      ...(isTypeRule(rule) ? [] : [toRow(rule, rule, describeVisitors(rule))]),
      ...(rule.exceptions ?? []).map((exception) =>
        toRow(
          rule,
          exception,
          exception.visitors === undefined ? describeVisitors(rule) : describeVisitors(exception, 'All known agents'),
        ),
      ),
    ]),
    ...exclusions.map((name) => ({
      id: name,
      visitors: name,
      requests: 'robots.txt',
      response: 'don’t disallow',
      mode: '',
      rule: null,
    })),
  ];
}

interface ExceptionsProps {
  projectId: string;
  rules: readonly PolicyRule[];
  selection: RulesSelection;
  isReader: boolean;
  onAdd: () => void;
  onEdit: (rule: PolicyRule) => void;
}

/** Rules for single agents, operators, results and paths. */
export function Exceptions({ projectId, rules, selection, isReader, onAdd, onEdit }: ExceptionsProps) {
  const rows = createRows(rules, selection);
  const columns: readonly TableColumn<ExceptionRow>[] = [
    { key: 'visitors', label: 'Visitors', isHead: true, cell: ({ visitors }) => visitors },
    { key: 'requests', label: 'Requests', cell: ({ requests }) => requests },
    { key: 'response', label: 'Response', cell: ({ response }) => response },
    { key: 'mode', label: 'Mode', cell: ({ mode }) => mode },
    {
      key: 'edit',
      label: 'Rule',
      cell: ({ rule, visitors }) =>
        rule === null ? (
          <TextLink to="/projects/$projectId/robots" params={{ projectId }} size="sm">
            robots.txt
          </TextLink>
        ) : isReader ? (
          rule.name
        ) : (
          <Button size="compact-xs" variant="default" onClick={() => onEdit(rule)}>
            Edit
            <span className="unseen">
              {' '}
              {rule.name}: {visitors}
            </span>
          </Button>
        ),
    },
  ];
  return (
    <Section
      id="exceptions"
      title="Exceptions"
      lead="Rules for single agents, operators, verification results and paths."
      actions={
        !isReader && (
          <Button size="compact-sm" variant="default" onClick={onAdd}>
            Add exception
          </Button>
        )
      }
    >
      {rows.length === 0 ? (
        <Text size="sm" c="dimmed">
          No exceptions.
        </Text>
      ) : (
        <DataTable label="Exceptions" columns={columns} rows={rows} rowKey={({ id }) => id} />
      )}
    </Section>
  );
}
