export const version: string = process.version; console.log(version);
