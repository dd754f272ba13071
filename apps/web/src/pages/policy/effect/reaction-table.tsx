import { Text } from '@mantine/core';
import type { PaymentAgent, PaymentsReport } from '../../../api/payments.js';
import type { PolicyEffect } from '../../../api/policy-effect.js';
import { formatCount } from '../../../format/count.js';
import { countPending, countReactions } from '../../../payments/payment-counts.js';
import { PAYMENT_SERIES } from '../../../payments/payment-series.js';
import { outcomeLink } from '../../../rules/outcomes.js';
import { DataTable, type TableColumn } from '../../../ui/data-table.js';
import { TextLink } from '../../../ui/text-link.js';
import { describeVisitor, toAgentFilter, Visitor } from './came-back.js';
import classes from './effect.module.css';

interface ReactionTableProps {
  projectId: string;
  effect: PolicyEffect;
  payments: PaymentsReport;
}

const count = (agent: PaymentAgent, key: string): number =>
  key === 'pending'
    ? countPending(agent)
    : key === 'walked_away'
      ? agent.walked_away
      : countReactions(agent, key as keyof PaymentAgent['unasked']);

/** Agents that a rule asked to pay, and what they did next. */
export function ReactionTable({ projectId, effect, payments }: ReactionTableProps) {
  const link = outcomeLink(projectId, effect);
  const agents = payments.agents.filter(({ asked }) => asked > 0).toSorted((one, other) => other.asked - one.asked);
  const partsOf = (agent: PaymentAgent) =>
    PAYMENT_SERIES.map((part) => ({ ...part, requests: count(agent, part.key) })).filter(
      ({ requests }) => requests > 0,
    );
  const columns: readonly TableColumn<PaymentAgent>[] = [
    {
      key: 'visitor',
      label: 'Visitor',
      isHead: true,
      cell: (agent) => <Visitor projectId={projectId} agent={agent} range={effect} />,
    },
    {
      key: 'asked',
      label: 'Asked to pay',
      isNumber: true,
      value: ({ asked }) => asked,
      cell: (agent) => (
        <TextLink {...link(['charged'], 'live', toAgentFilter(agent))} size="sm">
          {formatCount(agent.asked)}
          <span className="unseen"> requests by {describeVisitor(agent)}</span>
        </TextLink>
      ),
      narrow: { after: ' asked to pay' },
    },
    {
      key: 'next',
      label: 'What followed',
      cell: (agent) => (
        <>
          <span className={classes['bar']} aria-hidden="true">
            {partsOf(agent).map(({ key, color, requests }) => (
              <span key={key} style={{ flexGrow: requests, background: color }} />
            ))}
          </span>
          <Text span size="xs" c="dimmed">
            {partsOf(agent)
              .map(({ label, requests }) => `${formatCount(requests)} ${label.toLowerCase()}`)
              .join(', ')}
          </Text>
        </>
      ),
    },
  ];
  return (
    <DataTable
      label="Reactions to the price"
      initial="asked"
      columns={columns}
      rows={agents}
      rowKey={(agent) => `${agent.agent_id} ${agent.is_spoofed}`}
      pageSize={10}
      phone={['visitor asked', 'next next']}
    />
  );
}
