import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import type { Project, ProjectChange, Versioned } from '../../api/client.js';
import { recordReplacement } from '../../api/if-match.js';
import { useUpdateProject } from '../../api/update-project.js';
import { projectQuery } from '../../api/queries.js';
import { useRemount } from '../../ui/remount.js';
import { SavedForm, type SavedFormProps } from '../../ui/saved-form.js';

interface SettingsFormProps<V extends Record<string, unknown>> extends Omit<SavedFormProps<V>, 'save' | 'shared'> {
  project: Versioned<Project>;
  change: (values: V) => ProjectChange;
}

/** Form for a section of the project settings. Shows the differences if someone else has changed the settings. */
export function SettingsForm<V extends Record<string, unknown>>(props: SettingsFormProps<V>) {
  const { project, change, ...rest } = props;
  const save = useUpdateProject(project.id);
  const queryClient = useQueryClient();
  const remount = useRemount();
  // Version that the form was filled in with. It can be older than `project`, which may have been refetched since.
  const base = useRef(project);
  return (
    <SavedForm
      {...rest}
      save={async (values) => {
        base.current = await save(change(values), base.current.etag);
      }}
      shared={{
        base: base.current,
        adopt: (current) => {
          // The user has now seen the other user's changes, so let other forms on the page save on top of the new
          // version without another conflict.
          recordReplacement(base.current.etag, (current as Versioned<Project>).etag);
          base.current = current as Versioned<Project>;
          queryClient.setQueryData(projectQuery(project.id).queryKey, base.current);
        },
        reload: remount,
      }}
    />
  );
}
