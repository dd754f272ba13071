import type { Project, ProjectChange } from '../../api/client.js';
import { useProjectChange } from '../../api/project-change.js';
import { SavedForm, type SavedFormProps } from '../../ui/saved-form.js';

export interface SettingsFormProps<V extends Record<string, unknown>> extends Omit<SavedFormProps<V>, 'save'> {
  project: Project;
  change: (values: V) => ProjectChange;
}

/** Saves a part of a project's settings, and says that it did. */
export function SettingsForm<V extends Record<string, unknown>>(props: SettingsFormProps<V>) {
  const { project, change, ...rest } = props;
  const save = useProjectChange(project.id);
  return <SavedForm {...rest} save={async (values) => void (await save(change(values)))} />;
}
