import {
  MAX_SAVED_FILTERS,
  NewSavedFilterSchema,
  SavedFilterChangeSchema,
  SavedFilterListSchema,
  SavedFilterSchema,
} from '../saved-filter.schema.js';
import { operation } from './operation.js';
import { BODY, idParameter, PROJECT } from './parameters.js';

const TAG = 'Saved filters';
const FILTERS = idParameter('saved filter');

export const listSavedFilters = operation({
  method: 'get',
  path: '/api/projects/{id}/saved-filters',
  id: 'listSavedFilters',
  access: 'viewer',
  tag: TAG,
  summary: "List a project's saved filters. All project members share them.",
  params: { id: PROJECT },
  answer: SavedFilterListSchema,
  problems: [404],
});

export const createSavedFilter = operation({
  method: 'post',
  path: '/api/projects/{id}/saved-filters',
  id: 'createSavedFilter',
  access: 'member',
  limit: MAX_SAVED_FILTERS,
  tag: TAG,
  summary: `Save filters under a name (up to ${MAX_SAVED_FILTERS} per project)`,
  params: { id: PROJECT },
  body: NewSavedFilterSchema,
  status: 201,
  answer: SavedFilterSchema,
  problems: [404, 409, ...BODY],
});

export const renameSavedFilter = operation({
  method: 'patch',
  path: '/api/projects/{id}/saved-filters/{filterId}',
  id: 'renameSavedFilter',
  access: 'member',
  tag: TAG,
  summary: 'Rename a saved filter',
  params: { id: PROJECT, filterId: FILTERS },
  body: SavedFilterChangeSchema,
  answer: SavedFilterSchema,
  problems: [404, 409, ...BODY],
});

export const deleteSavedFilter = operation({
  method: 'delete',
  path: '/api/projects/{id}/saved-filters/{filterId}',
  id: 'deleteSavedFilter',
  access: 'member',
  tag: TAG,
  summary: 'Delete a saved filter',
  params: { id: PROJECT, filterId: FILTERS },
  status: 204,
  problems: [404],
});

export const SAVED_FILTER_OPERATIONS = [listSavedFilters, createSavedFilter, renameSavedFilter, deleteSavedFilter];
