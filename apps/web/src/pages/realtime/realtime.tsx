export const Realtime = () => null;
