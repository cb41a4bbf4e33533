/** The page that shows the Stately inspector in a frame and hands it what the stream tells. It holds nothing else. */

const inspector = 'https://stately.ai';

export interface Page {
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** @param nonce allows the page's own script and style, and no others. */
export function inspectorPage(origin: string, nonce: string): Page {
  const policy = [
    "default-src 'none'",
    `frame-src ${inspector}`,
    `connect-src ${origin.replace(/^http/, 'ws')}`,
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ];
  return {
    html: html(nonce),
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy.join('; '),
      // The address holds the token: it is not to be told to the framed site.
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
  };
}

function html(nonce: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Ironchart: the charts, live</title>
<style nonce="${nonce}">html, body, iframe { margin: 0; width: 100%; height: 100%; border: 0; display: block; }</style>
</head>
<body>
<iframe id="inspector" referrerpolicy="no-referrer" src="${inspector}/inspect" title="Stately inspector"></iframe>
<script nonce="${nonce}">
const frame = document.getElementById('inspector');
const waiting = [];
let isConnected = false;
const give = (message) => frame.contentWindow.postMessage(message, '${inspector}');
addEventListener('message', ({ data, origin, source }) => {
  if (origin !== '${inspector}' || source !== frame.contentWindow || data?.type !== '@statelyai.connected') return;
  isConnected = true;
  waiting.splice(0).forEach(give);
});
const socket = new WebSocket(location.href.replace(/^http/, 'ws') + 'stream');
socket.onmessage = ({ data }) => {
  const message = JSON.parse(data);
  if (isConnected) give(message);
  else if (waiting.length < 5000) waiting.push(message);
};
</script>
</body>
</html>
`;
}
