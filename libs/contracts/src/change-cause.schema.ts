import { Type, type Static } from 'typebox';
import { openEnum } from './open-enum.js';

const CHANGE_DIMENSIONS = ['network', 'page', 'status', 'verdict'] as const;

const ChangeCauseSchema = Type.Object({
  dimension: openEnum<(typeof CHANGE_DIMENSIONS)[number]>(CHANGE_DIMENSIONS, 'Property that the visits share'),
  value: Type.String({
    description:
      'Network in CIDR notation (a /24 for IPv4, a /48 for IPv6), page or first folder such as `/blog/*`, status, or ' +
      'identification result',
  }),
  visits: Type.Integer({ minimum: 0, description: 'Number of visits by the agent with this value' }),
  previous_visits: Type.Integer({ minimum: 0, description: 'Same as `visits`, but for the comparison range' }),
});

export const ChangeCausesSchema = Type.Unsafe<Static<typeof ChangeCauseSchema>[] | null>({
  type: ['array', 'null'],
  items: ChangeCauseSchema,
  maxItems: CHANGE_DIMENSIONS.length,
  description:
    'Causes that explain at least 60% of the difference each, and more than usual: at most one per dimension. Empty if ' +
    'there is no clear cause. Null if they were not determined, for example because there are too many visits to read.',
});

export type ChangeCause = Static<typeof ChangeCauseSchema>;
