import { Button, Group, Text, UnstyledButton } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { lazy, Suspense, useRef, useState } from 'react';
import { chartNotesKey, type ChartNote } from '../api/chart-notes.js';
import { client, data } from '../api/client.js';
import { projectQuery } from '../api/queries.js';
import { formatCount } from '../format/count.js';
import type { TimeChartProps } from '../charts/chart.js';
import { formatTime } from '../format/time.js';
import { toDay } from '../range/zoned-day.js';
import { notify } from '../notices/notices.js';
import { useClock } from '../ui/use-clock.js';
import { Confirm } from '../ui/confirm.js';
import { Icon } from '../ui/icon.js';
import type { Annotation } from './annotations.js';
import { useAnnotations } from './use-annotations.js';
import classes from './chart-notes.module.css';

const NoteForm = lazy(() => import('./note-form.js'));

const MAX_COLLAPSED_NOTES = 5;

/** Chart annotations, newest first. Everyone except viewers can add, edit and delete notes. */
export default function NoteList({ range, times }: Pick<TimeChartProps, 'range' | 'times'>) {
  const { projectId = '' } = useParams({ strict: false });
  const { data: project } = useQuery({ ...projectQuery(projectId), enabled: projectId !== '' });
  const annotations = useAnnotations({ range, times }).toReversed();
  const queryClient = useQueryClient();
  const now = useClock();
  const section = useRef<HTMLElement>(null);
  const [editedNote, setEditedNote] = useState<ChartNote | { day: string } | null>(null);
  const [noteToDelete, setNoteToDelete] = useState<ChartNote | null>(null);
  const [isExpanded, setExpanded] = useState(false);
  const canEdit = project !== undefined && project.role !== 'viewer';
  if (!canEdit && annotations.length === 0) return null;
  const remove = async ({ id: noteId, day, text }: ChartNote): Promise<void> => {
    const path = { id: projectId };
    const params = { path: { ...path, noteId } };
    await data(client.DELETE('/api/projects/{id}/chart-notes/{noteId}', { params }));
    await queryClient.invalidateQueries({ queryKey: chartNotesKey(projectId) });
    // Move the focus, because the focused button was removed with the note.
    section.current?.focus({ preventScroll: true });
    notify({
      text: `“${text}” was deleted.`,
      undo: async () => {
        await data(client.POST('/api/projects/{id}/chart-notes', { params: { path }, body: { day, text } }));
        await queryClient.invalidateQueries({ queryKey: chartNotesKey(projectId) });
        return `“${text}” was restored.`;
      },
    });
  };
  const lastDay = toDay(new Date(Math.min(now, Date.parse(range.to) - 1)).toISOString(), times.projectZone);
  return (
    <section ref={section} aria-label="Notes" tabIndex={-1} className={classes['notes']}>
      {annotations.length > 0 && (
        <ul className={classes['list']}>
          {annotations.slice(0, isExpanded ? undefined : MAX_COLLAPSED_NOTES).map((one) => (
            <Item
              key={one.key}
              annotation={one}
              times={times}
              {...(canEdit && { onChange: setEditedNote, onDelete: setNoteToDelete })}
            />
          ))}
        </ul>
      )}
      <Group gap="md">
        {canEdit && (
          <Button
            size="compact-xs"
            variant="subtle"
            leftSection={<Icon name="plus" size={12} />}
            aria-haspopup="dialog"
            onClick={() => setEditedNote({ day: lastDay })}
          >
            Add note
          </Button>
        )}
        {annotations.length > MAX_COLLAPSED_NOTES && !isExpanded && (
          <UnstyledButton fz="xs" c="var(--mantine-color-anchor)" onClick={() => setExpanded(true)}>
            Show all {formatCount(annotations.length)} notes
          </UnstyledButton>
        )}
      </Group>
      <Suspense>
        {editedNote !== null && (
          <NoteForm
            projectId={projectId}
            projectZone={times.projectZone}
            note={editedNote}
            onClose={() => setEditedNote(null)}
          />
        )}
      </Suspense>
      {noteToDelete !== null && (
        <Confirm
          title={`Delete “${noteToDelete.text}”?`}
          label="Delete note"
          action={() => remove(noteToDelete)}
          onClose={() => setNoteToDelete(null)}
        >
          This deletes the note for everyone in this project.
        </Confirm>
      )}
    </section>
  );
}

interface ItemProps extends Pick<TimeChartProps, 'times'> {
  annotation: Annotation;
  onChange?: (note: ChartNote) => void;
  onDelete?: (note: ChartNote) => void;
}

function Item({ annotation: { time, text, by, note }, times, onChange, onDelete }: ItemProps) {
  return (
    <li>
      <Icon name={note === undefined ? 'system' : 'note'} size={13} />
      <time dateTime={note?.day ?? time} className="numbers">
        {note === undefined
          ? formatTime(time, times.timeZone, { dateStyle: 'medium', timeStyle: 'short' })
          : formatTime(time, times.projectZone, { dateStyle: 'medium' })}
      </time>
      <span className={classes['text']}>
        {text}
        {by !== null && (
          <Text span inherit c="dimmed">
            {' '}
            · {by}
          </Text>
        )}
      </span>
      {note !== undefined && onChange !== undefined && onDelete !== undefined && (
        <Group gap={4} wrap="nowrap">
          <Button size="compact-xs" variant="default" onClick={() => onChange(note)}>
            Edit<span className="unseen"> {text}</span>
          </Button>
          <Button size="compact-xs" variant="default" c="var(--failed)" onClick={() => onDelete(note)}>
            Delete<span className="unseen"> {text}</span>
          </Button>
        </Group>
      )}
    </li>
  );
}
