import { Anchor, Group, Loader, NativeSelect, Radio, Stack, Tabs, Text } from '@mantine/core';
import '@mantine/core/styles/Tabs.css';
import { lazy, Suspense, type ReactNode } from 'react';
import { DRAIN_LABELS } from '../../api/constants.js';
import { BehindProxy } from './behind-proxy.js';
import { LogDrop } from './log-drop.js';
import { Section } from '../../ui/section.js';
import { SnippetList } from '../../ui/snippet-list.js';
import type { Access, SnippetPart } from '../../ui/snippet-part.js';
import {
  curlSnippet,
  logSnippet,
  NODE_FRAMEWORKS,
  nodeParts,
  phpParts,
  pythonParts,
  serverParts,
  TOKEN_PLACEHOLDER,
  type NodeFramework,
} from './snippets.js';

// Lazy-loaded because it bundles the instructions for all senders, and most people don't need them.
const DrainIntegration = lazy(() => import('./drain-integration.js'));

interface IntegrationProps {
  projectId: string;
  access: Access;
}

interface Integration {
  label: string;
  lead: string;
  parts: (access: Access) => readonly SnippetPart[];
}

const SERVER_INTRO = 'The server writes a log with all required fields, and Agent Traffic follows it.';

const INTEGRATIONS = {
  curl: {
    label: 'curl',
    lead: 'Run this in a shell to check the connection.',
    parts: (access) => [{ title: 'In a shell', text: curlSnippet(access) }],
  },
  node: { label: 'Node.js', lead: 'Report every visit to a Node.js server as it happens.', parts: () => [] },
  python: {
    label: 'Python',
    lead: 'Report every visit to a WSGI application, such as Django or Flask.',
    parts: pythonParts,
  },
  php: { label: 'PHP', lead: 'Report every visit that PHP handles, with or without a framework.', parts: phpParts },
  nginx: { label: 'nginx', lead: SERVER_INTRO, parts: (access) => serverParts('nginx', access) },
  caddy: { label: 'Caddy', lead: SERVER_INTRO, parts: (access) => serverParts('caddy', access) },
  apache: { label: 'Apache', lead: SERVER_INTRO, parts: (access) => serverParts('apache', access) },
  log: {
    label: 'Log file',
    lead: 'Import access logs from web servers, load balancers and CDNs. The format is detected automatically.',
    parts: (access) => [{ title: 'Or in a shell', text: logSnippet(access) }],
  },
} as const satisfies Record<string, Integration>;
type DrainName = keyof typeof DRAIN_LABELS;
type IntegrationName = keyof typeof INTEGRATIONS | DrainName;

/** Integrations, grouped by the source of the visits. */
const GROUPS: readonly { label: string; ways: readonly IntegrationName[] }[] = [
  { label: 'Your site’s code', ways: ['node', 'python', 'php', 'curl'] },
  { label: 'Log files', ways: ['nginx', 'caddy', 'apache', 'log'] },
  { label: 'A CDN or log collector', ways: Object.keys(DRAIN_LABELS) as DrainName[] },
];

const FRAMEWORK_NAMES = Object.keys(NODE_FRAMEWORKS) as NodeFramework[];

interface IntegrationsProps extends IntegrationProps {
  /** Content of the second step before the instructions, such as a missing token. */
  children: ReactNode;
  /** True while the token is loading. */
  isLoading: boolean;
  /** Name of the selected integration, from the URL. Unknown names select the first one. */
  how: string | undefined;
  framework: string | undefined;
  onChange: (selected: { how?: string; framework?: string }) => void;
}

/** First two steps: choosing the source of the visits, and pasting what it needs. */
export function Integrations(props: IntegrationsProps) {
  const { projectId, access, how, framework, onChange, isLoading, children } = props;
  const { label: groupLabel, ways } = GROUPS.find((group) => group.ways.some((name) => name === how)) ?? GROUPS[0]!;
  const integration = ways.find((name) => name === how) ?? ways[0]!;
  return (
    <Tabs value={integration} onChange={(next) => onChange({ how: next ?? undefined })} keepMounted={false}>
      <Stack>
        <Section title="1. Choose how to connect" lead="Where do your visits come from?">
          <Radio.Group
            aria-label="Report visits from"
            value={groupLabel}
            onChange={(next) => onChange({ how: GROUPS.find(({ label }) => label === next)?.ways[0] })}
          >
            <Group gap="md">
              {GROUPS.map(({ label }) => (
                <Radio key={label} value={label} label={label} />
              ))}
            </Group>
          </Radio.Group>
          <Tabs.List>
            {ways.map((name) => (
              <Tabs.Tab key={name} value={name}>
                {isDrain(name) ? DRAIN_LABELS[name] : INTEGRATIONS[name].label}
              </Tabs.Tab>
            ))}
          </Tabs.List>
        </Section>
        <Section
          title="2. Add it to your site"
          lead={isDrain(integration) ? undefined : INTEGRATIONS[integration].lead}
        >
          {children}
          {isLoading ? (
            <Loader size="sm" />
          ) : (
            ways.map((name) => (
              <Tabs.Panel key={name} value={name}>
                {isDrain(name) ? (
                  <Suspense fallback={<Loader size="sm" />}>
                    <DrainIntegration projectId={projectId} source={name} access={access} />
                  </Suspense>
                ) : (
                  <SnippetIntegration {...{ name, projectId, access, framework, onChange }} />
                )}
              </Tabs.Panel>
            ))
          )}
          <Text size="sm" c="dimmed">
            For all fields and operations, see the <Anchor href="/docs">API reference</Anchor>.
          </Text>
        </Section>
      </Stack>
    </Tabs>
  );
}

const isDrain = (name: IntegrationName): name is DrainName => Object.hasOwn(DRAIN_LABELS, name);

interface SnippetIntegrationProps extends Omit<IntegrationsProps, 'how' | 'children' | 'isLoading'> {
  name: keyof typeof INTEGRATIONS;
}

function SnippetIntegration({ name, projectId, access, framework, onChange }: SnippetIntegrationProps) {
  const { label, parts } = INTEGRATIONS[name];
  const selected = FRAMEWORK_NAMES.find((candidate) => candidate === framework) ?? 'http';
  return (
    <Stack gap="sm">
      {name === 'node' && (
        <NativeSelect
          label="Framework"
          w={200}
          value={selected}
          onChange={({ currentTarget }) => onChange({ framework: currentTarget.value })}
          data={FRAMEWORK_NAMES.map((candidate) => ({ value: candidate, label: NODE_FRAMEWORKS[candidate].label }))}
        />
      )}
      {name === 'log' && access.token !== TOKEN_PLACEHOLDER && <LogDrop projectId={projectId} token={access.token} />}
      <SnippetList label={label} parts={name === 'node' ? nodeParts(access, selected) : parts(access)} />
      {name !== 'curl' && <BehindProxy projectId={projectId} />}
    </Stack>
  );
}
