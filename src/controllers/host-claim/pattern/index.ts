/** Regular expressions that strangers may write: in the language of RE2, and never slow. */
export { Pattern } from './match.js';
export { PatternError } from './syntax.js';
