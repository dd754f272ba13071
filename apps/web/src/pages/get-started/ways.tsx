import { NativeSelect, Stack, Tabs, Text } from '@mantine/core';
import { Snippet } from '../../ui/snippet.js';
import { TextLink } from '../../ui/text-link.js';
import { LogDrop } from './log-drop.js';
import {
  curlSnippet,
  logSnippet,
  NODE_FRAMEWORKS,
  nodeParts,
  phpParts,
  pythonParts,
  serverParts,
  TOKEN_PLACE,
  type Access,
  type NodeFramework,
  type SnippetPart,
} from './snippets.js';

interface WayProps {
  projectId: string;
  access: Access;
}

interface Way {
  label: string;
  lead: string;
  /** What to put where. */
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
type WayName = keyof typeof WAYS;

const FRAMEWORK_NAMES = Object.keys(NODE_FRAMEWORKS) as NodeFramework[];

export interface WaysProps extends WayProps {
  /** The way, and for Node.js the framework, as the address has them. */
  how: string | undefined;
  framework: string | undefined;
  onChange: (chosen: { how?: string; framework?: string }) => void;
}

/** How visits get here: a tab for each language and server. */
export function Ways({ projectId, access, how, framework, onChange }: WaysProps) {
  const way: WayName = how !== undefined && Object.hasOwn(WAYS, how) ? (how as WayName) : 'curl';
  const chosen = FRAMEWORK_NAMES.find((name) => name === framework) ?? 'http';
  return (
    <Tabs value={way} onChange={(next) => onChange({ how: next ?? undefined })} keepMounted={false}>
      <Tabs.List>
        {Object.entries(WAYS).map(([key, { label }]) => (
          <Tabs.Tab key={key} value={key}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {Object.entries(WAYS).map(([key, { label, lead, parts }]) => (
        <Tabs.Panel key={key} value={key} pt="sm">
          <Stack gap="sm">
            <Text size="sm">{lead}</Text>
            {key === 'node' && (
              <NativeSelect
                label="Framework"
                w={200}
                value={chosen}
                onChange={({ currentTarget }) => onChange({ framework: currentTarget.value })}
                data={FRAMEWORK_NAMES.map((name) => ({ value: name, label: NODE_FRAMEWORKS[name].label }))}
              />
            )}
            {key === 'log' && access.token !== TOKEN_PLACE && <LogDrop projectId={projectId} token={access.token} />}
            <Parts label={label} parts={key === 'node' ? nodeParts(access, chosen) : parts(access)} />
            {key !== 'curl' && <BehindProxy projectId={projectId} />}
          </Stack>
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

function Parts({ label, parts }: { label: string; parts: readonly SnippetPart[] }) {
  return parts.map(({ title, text }, index) => (
    <div key={title}>
      <Text size="sm" fw={500} mb={4}>
        {title}
      </Text>
      <Snippet text={text} what={index === 0 ? `the lines for ${label}` : `lines for ${label}, part ${index + 1}`} />
    </div>
  ));
}

function BehindProxy({ projectId }: { projectId: string }) {
  return (
    <Text size="sm" c="dimmed">
      The address of the connection is reported. Behind a proxy or content delivery network that is the proxy’s: leave
      it so, and say in{' '}
      <TextLink to="/projects/$projectId/settings" params={{ projectId }} size="sm">
        Settings
      </TextLink>{' '}
      how visitors reach the site. The visitor’s address is then read from headers such as X-Forwarded-For.
    </Text>
  );
}
