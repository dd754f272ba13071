const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns true if the text is a UUID of any version (RFC 9562). Case-insensitive. */
export const isUuid = (text: string): boolean => text.length === 36 && UUID.test(text);
