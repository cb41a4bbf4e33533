/** Charts, drawn from the machines themselves: the graph, a picture of it, and the languages a picture can be written in. */
export * from './charts.js';
export * from './graph.js';
export * from './mermaid.js';
export * from './picture.js';
export * from './smcat.js';
