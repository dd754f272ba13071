import { Group, Loader, NativeSelect, Radio, Stack, Tabs, Text } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { DRAIN_LABELS } from '../../api/constants.js';
import { BehindProxy } from './behind-proxy.js';
import { LogDrop } from './log-drop.js';
import { Parts } from '../../ui/parts.js';
import type { Access, SnippetPart } from '../../ui/snippet-part.js';
import {
  curlSnippet,
  logSnippet,
  NODE_FRAMEWORKS,
  nodeParts,
  phpParts,
  pythonParts,
  serverParts,
  TOKEN_PLACE,
  type NodeFramework,
} from './snippets.js';

/** Includes the instructions for all senders, which most people never need. */
const DrainWay = lazy(() => import('./drain-way.js'));

interface WayProps {
  projectId: string;
  access: Access;
}

interface Way {
  label: string;
  lead: string;
  parts: (access: Access) => readonly SnippetPart[];
}

const SERVER_LEAD = 'The server writes a log with what is needed, and Agent Traffic follows it.';

const WAYS = {
  curl: {
    label: 'curl',
    lead: 'One visit from a shell, to see that it works.',
    parts: (access) => [{ title: 'In a shell', text: curlSnippet(access) }],
  },
  node: { label: 'Node.js', lead: 'Every visit of a Node.js server, as it happens.', parts: () => [] },
  python: { label: 'Python', lead: 'Every visit of a WSGI application, such as Django or Flask.', parts: pythonParts },
  php: { label: 'PHP', lead: 'Every visit that PHP answers, on any framework or none.', parts: phpParts },
  nginx: { label: 'nginx', lead: SERVER_LEAD, parts: (access) => serverParts('nginx', access) },
  caddy: { label: 'Caddy', lead: SERVER_LEAD, parts: (access) => serverParts('caddy', access) },
  apache: { label: 'Apache', lead: SERVER_LEAD, parts: (access) => serverParts('apache', access) },
  log: {
    label: 'Log file',
    lead: 'Access logs of web servers, load balancers and CDNs. The format is found automatically.',
    parts: (access) => [{ title: 'Or in a shell', text: logSnippet(access) }],
  },
} as const satisfies Record<string, Way>;
type DrainName = keyof typeof DRAIN_LABELS;
type WayName = keyof typeof WAYS | DrainName;

/** Integrations, grouped by where visits are recorded. */
const GROUPS: readonly { label: string; ways: readonly WayName[] }[] = [
  { label: 'Your site’s code', ways: ['curl', 'node', 'python', 'php'] },
  { label: 'Log files', ways: ['nginx', 'caddy', 'apache', 'log'] },
  { label: 'A CDN or log collector', ways: Object.keys(DRAIN_LABELS) as DrainName[] },
];

const FRAMEWORK_NAMES = Object.keys(NODE_FRAMEWORKS) as NodeFramework[];

interface WaysProps extends WayProps {
  /** Selected integration and Node.js framework, from the URL. */
  how: string | undefined;
  framework: string | undefined;
  onChange: (chosen: { how?: string; framework?: string }) => void;
}

/** Integrations, with a tab for each language, server and sender. */
export function Ways({ projectId, access, how, framework, onChange }: WaysProps) {
  const { label: from, ways } = GROUPS.find((group) => group.ways.some((name) => name === how)) ?? GROUPS[0]!;
  const way = ways.find((name) => name === how) ?? ways[0]!;
  return (
    <Stack gap="sm">
      <Radio.Group
        aria-label="Report visits from"
        value={from}
        onChange={(next) => onChange({ how: GROUPS.find(({ label }) => label === next)?.ways[0] })}
      >
        <Group gap="md">
          {GROUPS.map(({ label }) => (
            <Radio key={label} value={label} label={label} />
          ))}
        </Group>
      </Radio.Group>
      <Tabs key={from} value={way} onChange={(next) => onChange({ how: next ?? undefined })} keepMounted={false}>
        <Tabs.List>
          {ways.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {isDrain(name) ? DRAIN_LABELS[name] : WAYS[name].label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {ways.map((name) => (
          <Tabs.Panel key={name} value={name} pt="sm">
            {isDrain(name) ? (
              <Suspense fallback={<Loader size="sm" />}>
                <DrainWay projectId={projectId} source={name} access={access} />
              </Suspense>
            ) : (
              <LinesWay {...{ name, projectId, access, framework, onChange }} />
            )}
          </Tabs.Panel>
        ))}
      </Tabs>
    </Stack>
  );
}

const isDrain = (name: WayName): name is DrainName => Object.hasOwn(DRAIN_LABELS, name);

interface LinesWayProps extends Omit<WaysProps, 'how'> {
  name: keyof typeof WAYS;
}

function LinesWay({ name, projectId, access, framework, onChange }: LinesWayProps) {
  const { label, lead, parts } = WAYS[name];
  const chosen = FRAMEWORK_NAMES.find((each) => each === framework) ?? 'http';
  return (
    <Stack gap="sm">
      <Text size="sm">{lead}</Text>
      {name === 'node' && (
        <NativeSelect
          label="Framework"
          w={200}
          value={chosen}
          onChange={({ currentTarget }) => onChange({ framework: currentTarget.value })}
          data={FRAMEWORK_NAMES.map((each) => ({ value: each, label: NODE_FRAMEWORKS[each].label }))}
        />
      )}
      {name === 'log' && access.token !== TOKEN_PLACE && <LogDrop projectId={projectId} token={access.token} />}
      <Parts label={label} parts={name === 'node' ? nodeParts(access, chosen) : parts(access)} />
      {name !== 'curl' && <BehindProxy projectId={projectId} />}
    </Stack>
  );
}
