export const GetStarted = () => null;
