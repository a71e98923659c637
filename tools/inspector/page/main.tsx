import { render } from 'preact';
import { forgetKey, keepKey, takeKey } from './api.js';
import { router } from './router.js';
import { App, KeyQuestion } from './shell.js';

const root = document.getElementById('app');
if (root) {
  const show = (): void => {
    render(<App />, root);
  };
  const ask = (wasWrong = false): void => {
    render(
      <KeyQuestion
        wasWrong={wasWrong}
        onKey={(key) => {
          keepKey(key);
          location.reload();
        }}
      />,
      root,
    );
  };
  if (takeKey()) {
    router.look();
    show();
  } else ask();
  addEventListener('hashchange', () => {
    // Reloads the page if a link with a key was opened in this tab.
    if (location.hash.startsWith('#key=') && takeKey()) location.reload();
  });
  addEventListener('sandbox-key-refused', () => {
    forgetKey();
    ask(true);
  });
}
