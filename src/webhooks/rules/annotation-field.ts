/** The path of an annotation within an object. */
export const annotationField = (name: string): string => `metadata.annotations[${name}]`;
