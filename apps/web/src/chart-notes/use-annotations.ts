import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { chartNotesQuery } from '../api/chart-notes.js';
import type { TimeChartProps } from '../charts/chart.js';
import { toAnnotations, type Annotation } from './annotations.js';

/** Returns a chart's annotations, or an empty array while they load and on pages outside a project. */
export function useAnnotations({ range, times }: Pick<TimeChartProps, 'range' | 'times'>): Annotation[] {
  const { projectId = '' } = useParams({ strict: false });
  const { data } = useQuery({ ...chartNotesQuery(projectId, range), enabled: projectId !== '' });
  const { projectZone } = times;
  return useMemo(() => (data === undefined ? [] : toAnnotations(data, projectZone)), [data, projectZone]);
}
