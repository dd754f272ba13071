import { describeReason } from '#libs/agents/vocabulary';
import type { ReactNode } from 'react';
import type { Visit } from '../api/client.js';
import { formatDuration } from '../format/duration.js';
import { formatNetwork } from '../format/network.js';
import { getVisitorName } from '../format/program-name.js';
import { AgentMark } from '../ui/agent-mark.js';
import { Verdict } from '../ui/verdict.js';
import { getHeader } from './get-header.js';
import type { ColumnName } from './visit-columns.js';
import classes from './visit-table.module.css';

interface VisitCell {
  /** Minimum width in rem. */
  width: number;
  /** Share of the remaining width. */
  grow: number;
  isNumber?: true;
  /** Full text, shown on hover because the cell may be too narrow for it. */
  title?: (visit: Visit) => string | null | undefined;
  content: (visit: Visit) => ReactNode;
}

const dimmed = (text: ReactNode): ReactNode => <span className={classes['soft']}>{text}</span>;
const getUserAgent = ({ visit }: Visit): string | undefined => getHeader(visit, 'user-agent');
const getReferrerOrTool = ({ visit }: Visit): string =>
  visit.mcp_request_tool_name ?? visit.mcp_request_method ?? getHeader(visit, 'referer') ?? '';
const getReason = ({ identification }: Visit): string =>
  identification.reason == null ? '' : describeReason(identification.reason);

export const VISIT_CELLS: Record<ColumnName, VisitCell> = {
  verdict: { width: 8.75, grow: 0, content: ({ identification }) => <Verdict result={identification.result} /> },
  agent: {
    width: 15,
    grow: 2.5,
    title: getUserAgent,
    content: (visit) => (
      <>
        {visit.identification.agent_token !== null && (
          <AgentMark name={visit.identification.agent_token} operator={visit.identification.operator_name} size={18} />
        )}
        {visit.identification.agent_token ?? dimmed(getVisitorName(getUserAgent(visit) ?? '') || '–')}
        {visit.identification.agent_type_name !== null && dimmed(` ${visit.identification.agent_type_name}`)}
      </>
    ),
  },
  operator: { width: 7, grow: 1, content: ({ identification }) => identification.operator_name ?? dimmed('–') },
  request: {
    width: 9,
    grow: 2,
    title: ({ visit }) => visit.request_path,
    content: ({ visit }) => (
      <>
        {dimmed(visit.request_method)} {visit.request_path}
      </>
    ),
  },
  status: {
    width: 3.5,
    grow: 0,
    isNumber: true,
    content: ({ visit: { response_status_code: status } }) => (
      <span data-status={status == null ? '' : Math.floor(status / 100)}>{status ?? '–'}</span>
    ),
  },
  duration: {
    width: 4.5,
    grow: 0,
    isNumber: true,
    content: ({ visit: { response_duration_in_milliseconds: duration } }) =>
      duration == null ? '' : formatDuration(duration),
  },
  address: {
    width: 7.5,
    grow: 1,
    title: ({ client_address: address, client_network: network }) =>
      [address, formatNetwork(network)].filter(Boolean).join(', '),
    content: ({ client_address: address, client_network: network }) => (
      <>
        {address ?? dimmed('–')}
        {/* The country comes first because the rest may be cut off. */}
        {network !== null && dimmed(` ${[network.country_code, network.operator_name].filter(Boolean).join(' ')}`)}
      </>
    ),
  },
  origin: {
    width: 8,
    grow: 1.2,
    title: getReferrerOrTool,
    content: (visit) => {
      const [text, withoutScheme = text] = getReferrerOrTool(visit).split('://', 2);
      return withoutScheme;
    },
  },
  host: { width: 8, grow: 1, content: ({ visit }) => getHeader(visit, 'host') ?? dimmed('–') },
  userAgent: { width: 12, grow: 2, title: getUserAgent, content: (visit) => getUserAgent(visit) ?? dimmed('–') },
  reason: { width: 12, grow: 2, title: getReason, content: getReason },
};
