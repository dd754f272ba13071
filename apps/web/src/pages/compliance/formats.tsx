import { NativeSelect, Stack, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import type { Project } from '../../api/client.js';
import type { Compliance } from '../../api/compliance.js';
import type { FilterSet } from '../../filters/filter-set.js';
import { formatPercent } from '../../format/change.js';
import { formatCount } from '../../format/count.js';
import type { LinkedRange, Range } from '../../range/range.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { TextLink } from '../../ui/text-link.js';
import {
  COUNTED_FORMATS,
  findUnmetRequests,
  FORMAT_LABELS,
  toFormatRows,
  type FormatCount,
  type FormatRow,
  type ResponseFormat,
} from './format-counts.js';
import classes from './formats.module.css';
import { forAgent, visitsLink } from '../../rules/judged-visit-links.js';

interface FormatsProps {
  project: Project;
  compliance: Compliance;
  range: Range;
  linked: LinkedRange;
  lead: ReactNode;
}

type ToVisits = (set: FilterSet) => ReturnType<ReturnType<typeof visitsLink>>;

/** Chart of the formats that agents asked for, against the formats they got. */
export default function Formats({ project, compliance: { formats }, range, linked, lead }: FormatsProps) {
  const [agentId, setAgentId] = useState('');
  const link = visitsLink(project.id, linked);
  const agents = [...new Map(formats.map((count) => [count.agent_id, count])).values()].toSorted((one, other) =>
    getName(one).localeCompare(getName(other)),
  );
  const agent = agents.find(({ agent_id: id }) => id === agentId);
  const { rows, responses } = toFormatRows(
    formats.filter(({ agent_id: id }) => agent === undefined || id === agent.agent_id),
  );
  const toVisits: ToVisits = (set) =>
    link(agent === undefined ? { ...COUNTED_FORMATS, ...set } : forAgent(agent, { ...COUNTED_FORMATS, ...set }));
  return (
    <Stack gap="xs">
      {lead}
      {formats.length === 0 ? (
        <NoFormats />
      ) : (
        <>
          <Unmet formats={formats} link={link} />
          <DataTable
            label="Requested and received formats"
            page="formats"
            columns={getColumns(responses, toVisits)}
            rows={rows}
            rowKey={({ requested }) => requested}
            owner={project.name}
            range={range}
            toolbar={
              <NativeSelect
                aria-label="Agent"
                size="xs"
                w={200}
                value={agent?.agent_id ?? ''}
                data={[
                  { value: '', label: 'All agents' },
                  ...agents.map((one) => ({ value: one.agent_id, label: getName(one) })),
                ]}
                onChange={({ currentTarget }) => setAgentId(currentTarget.value)}
              />
            }
          />
        </>
      )}
    </Stack>
  );
}

const getName = ({ agent_token: token }: FormatCount): string => token ?? 'No longer in the catalog';

const getColumns = (responses: readonly ResponseFormat[], toVisits: ToVisits): readonly TableColumn<FormatRow>[] => [
  {
    key: 'requested',
    label: 'Asked for',
    isHead: true,
    value: ({ requested }) => FORMAT_LABELS[requested],
  },
  {
    key: 'visits',
    label: 'Requests',
    isNumber: true,
    value: ({ visits }) => visits,
    cell: ({ requested, visits }) => (
      <TextLink {...toVisits({ requested_format: [requested], ...EITHER_FORMAT(requested) })} size="sm">
        {formatCount(visits)}
        <span className="unseen"> requests for {FORMAT_LABELS[requested]}</span>
      </TextLink>
    ),
  },
  ...responses.map((response): TableColumn<FormatRow> => ({
    key: response,
    label: response === 'none' ? 'Response format not reported' : `Got ${FORMAT_LABELS[response]}`,
    isNumber: true,
    value: (row) => row.responses[response] ?? 0,
    cell: ({ requested, visits, responses: counts }) => {
      const count = counts[response] ?? 0;
      if (count === 0) return <span className="zero">–</span>;
      const share = count / visits;
      return (
        <TextLink
          {...toVisits({ requested_format: [requested], response_format: [response] })}
          className={classes['cell'] ?? ''}
          data-share={getShareLevel(share)}
          size="sm"
        >
          {formatCount(count)} · {formatPercent(share)}
          <span className="unseen">
            {' '}
            of requests for {FORMAT_LABELS[requested]}{' '}
            {response === 'none' ? 'without a reported response format' : `got ${FORMAT_LABELS[response]}`}
          </span>
        </TextLink>
      );
    },
  })),
];

/** Visits with neither header aren't counted. */
const EITHER_FORMAT = (requested: FormatRow['requested']): FilterSet =>
  requested === 'none' ? { not_response_format: ['none'] } : {};

function getShareLevel(share: number): 'most' | 'many' | 'some' | 'few' {
  if (share >= 0.75) return 'most';
  if (share >= 0.5) return 'many';
  return share >= 0.1 ? 'some' : 'few';
}

/** Names the agent whose requests for Markdown got another format most often. */
function Unmet({ formats, link }: { formats: readonly FormatCount[]; link: ReturnType<typeof visitsLink> }) {
  const most = findUnmetRequests(formats);
  if (most === null) return null;
  const { agent, requests, unmet } = most;
  const set = forAgent(agent, {
    ...COUNTED_FORMATS,
    requested_format: ['markdown'],
    not_response_format: ['markdown', 'none'],
  });
  return (
    <Text>
      <strong>{getName(agent)}</strong> asked for Markdown {formatCount(requests)} {requests === 1 ? 'time' : 'times'},
      and got another format{' '}
      <TextLink {...link(set)} inherit>
        {formatCount(unmet)} {unmet === 1 ? 'time' : 'times'}
      </TextLink>
      .
    </Text>
  );
}

const NoFormats = () => (
  <Text size="sm">
    No source in this range reports the request header Accept or the response header Content-Type. Clients and Caddy’s
    log report them. In nginx, add <code>$http_accept</code> and <code>$sent_http_content_type</code> to the log format.
    In Apache, add <code>{'%{Accept}i'}</code> and <code>{'%{Content-Type}o'}</code>.
  </Text>
);
