// Leads this browser to the host name of its own that the dashboard has. The name is remembered here: storage
// belongs to one port, so that no other program of this machine can read it.
"use strict";

(() => {
  const key = "homeport-address";
  const link = document.getElementById("own-host");
  try {
    if (link) localStorage.setItem(key, new URL(link.href).origin);
    const origin = localStorage.getItem(key);
    if (link) location.replace(link.href);
    else if (origin) location.replace(origin + location.pathname + location.search);
  } catch {
    // Without storage the link is opened, and the name is not remembered.
    if (link) location.replace(link.href);
  }
})();
