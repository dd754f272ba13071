import {
  ChartNoteChangeSchema,
  ChartNoteSchema,
  ChartNotesSchema,
  MAX_CHART_NOTES,
  NewChartNoteSchema,
} from '../chart-note.schema.js';
import { operation } from './operation.js';
import { BODY, idParameter, PROJECT, RANGE } from './parameters.js';

const TAG = 'Chart notes';
const NOTE = idParameter('note');

export const listChartNotes = operation({
  method: 'get',
  path: '/api/projects/{id}/chart-notes',
  id: 'listChartNotes',
  access: 'viewer',
  tag: TAG,
  summary: 'List notes, saved versions of the rules, and catalog updates in a time range',
  params: { id: PROJECT },
  query: RANGE,
  answer: ChartNotesSchema,
  problems: [404, 422],
});

export const createChartNote = operation({
  method: 'post',
  path: '/api/projects/{id}/chart-notes',
  id: 'createChartNote',
  access: 'member',
  limit: MAX_CHART_NOTES,
  tag: TAG,
  summary: `Add a note to a day in a project's charts (up to ${MAX_CHART_NOTES} per project)`,
  params: { id: PROJECT },
  body: NewChartNoteSchema,
  status: 201,
  answer: ChartNoteSchema,
  problems: [404, 409, ...BODY],
});

export const changeChartNote = operation({
  method: 'patch',
  path: '/api/projects/{id}/chart-notes/{noteId}',
  id: 'changeChartNote',
  access: 'member',
  tag: TAG,
  summary: 'Update the day or text of a note',
  params: { id: PROJECT, noteId: NOTE },
  body: ChartNoteChangeSchema,
  answer: ChartNoteSchema,
  problems: [404, ...BODY],
});

export const deleteChartNote = operation({
  method: 'delete',
  path: '/api/projects/{id}/chart-notes/{noteId}',
  id: 'deleteChartNote',
  access: 'member',
  tag: TAG,
  summary: 'Delete a note',
  params: { id: PROJECT, noteId: NOTE },
  status: 204,
  problems: [404],
});

export const CHART_NOTE_OPERATIONS = [listChartNotes, createChartNote, changeChartNote, deleteChartNote];
