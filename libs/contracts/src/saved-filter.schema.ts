import { Type, type Static } from 'typebox';
import { Name, SingleLine } from './text.schema.js';

/** Dashboard pages whose filters can be saved. */
const FILTERED_PAGES = ['overview', 'visits', 'realtime', 'agents'] as const;
type FilteredPage = (typeof FILTERED_PAGES)[number];

/** Maximum number of saved filters per project. */
export const MAX_SAVED_FILTERS = 100;

const fields = {
  name: Name,
  page: Type.Unsafe<FilteredPage>({
    type: 'string',
    enum: [...FILTERED_PAGES],
    description: 'Dashboard page that the filters were saved on',
  }),
  search: SingleLine({
    minLength: 1,
    maxLength: 2_048,
    description: 'Query string of the dashboard page, without the `?`',
    examples: ['agent=GPTBot&status=4xx'],
  }),
};

export const SavedFilterSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    ...fields,
    created_at: Type.String({ format: 'date-time' }),
    created_by: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description:
        'Name of the person who saved the filters. Null if an API key was used or the account has since been deleted.',
    }),
  },
  { $id: 'SavedFilter' },
);
export const NewSavedFilterSchema = Type.Object(fields, { $id: 'NewSavedFilter', additionalProperties: false });
export const SavedFilterChangeSchema = Type.Object(
  { name: Name },
  { $id: 'SavedFilterChange', additionalProperties: false },
);
export const SavedFilterListSchema = Type.Object(
  {
    saved_filters: Type.Array(SavedFilterSchema, {
      description: `Up to ${MAX_SAVED_FILTERS} saved filters, sorted by name`,
    }),
  },
  { $id: 'SavedFilterList' },
);

export type SavedFilter = Static<typeof SavedFilterSchema>;
export type NewSavedFilter = Static<typeof NewSavedFilterSchema>;
