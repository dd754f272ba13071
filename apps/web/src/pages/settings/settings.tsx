export const Settings = () => null;
