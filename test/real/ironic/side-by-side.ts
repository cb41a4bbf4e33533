/**
 * Begins stories that need each its minutes, all at once. Whoever checks one waits for it alone, and one that comes to nothing fails
 * its own checks and no others.
 */
export function sideBySide<Name extends string>(
  stories: Readonly<Record<Name, () => Promise<void>>>,
): (name: Name) => Promise<void> {
  const names = Object.keys(stories) as Name[];
  const running = new Map(names.map((name) => [name, stories[name]()]));
  for (const story of running.values()) story.catch(() => undefined);
  return (name) => running.get(name)!;
}
