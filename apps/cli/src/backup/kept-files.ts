/** What `DATA_DIR` holds beside the database that another instance needs to go on: keys and passwords. */
export const KEPT_FILES = ['secret-key', 'secret-key-previous', 'api-key', 'postgres-password'] as const;
