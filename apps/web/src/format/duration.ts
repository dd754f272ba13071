export { formatDuration } from '#libs/contracts/duration';
