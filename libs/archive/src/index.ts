export { Archive, type ArchivedDay } from './archive.js';
export { archiveSettings, openArchive, type ArchiveSettings } from './archive-settings.js';
export { UnreadableArchiveError, type ArchivedProject } from './manifest.js';
