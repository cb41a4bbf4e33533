/** MAC addresses in any of the forms that people write them in. */

/** 6, 8 or 20 bytes: pairs of digits with colons or with dashes between them, or groups of four with dots. */
export function isMACAddress(text: string): boolean {
  const [pairs, groups] = [/^[0-9a-f]{2}(([:-])[0-9a-f]{2})(\2[0-9a-f]{2})*$/i, /^[0-9a-f]{4}(\.[0-9a-f]{4})+$/i];
  if (!pairs.test(text) && !groups.test(text)) return false;
  return [6, 8, 20].includes(text.replace(/[^0-9a-f]/gi, '').length / 2);
}
