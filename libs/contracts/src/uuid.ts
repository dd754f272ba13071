const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether the text is a UUID of any version as RFC 9562 writes it, in either case. */
export const isUuid = (text: string): boolean => text.length === 36 && UUID.test(text);
