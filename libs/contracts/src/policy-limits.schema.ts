import { Type, type Static } from 'typebox';

/** Servers that can apply limits without a request to the instance. */
export const LIMIT_SERVERS = ['nginx', 'haproxy', 'caddy'] as const;
export type LimitServer = (typeof LIMIT_SERVERS)[number];

export const PolicyLimitsSchema = Type.Object(
  {
    agents: Type.Integer({ minimum: 0, description: 'Number of agents with a limit' }),
    files: Type.Array(
      Type.Object({
        name: Type.String({ description: 'File name', examples: ['agent-traffic-limits.conf'] }),
        purpose: Type.String({ description: 'Where to put the file, for people' }),
        text: Type.String({ description: 'Content of the file' }),
      }),
    ),
    ignored_rules: Type.Array(Type.String(), {
      description:
        'Names of live rules that allow or slow down, but that the files ignore, entirely or in part, because they ' +
        'depend on more than the agent and its verification',
    }),
  },
  {
    $id: 'PolicyLimits',
    description: 'Server configuration. It stays the same, byte for byte, until the rules or the agents change.',
  },
);

export type PolicyLimits = Static<typeof PolicyLimitsSchema>;
export type LimitFile = PolicyLimits['files'][number];
