// Puts what changes into the open page. Without it every page can be read and every form works.
"use strict";

(() => {
  const source = document.body.dataset.events;
  if (!source || !window.EventSource) return;
  const link = document.getElementById("live-link");
  let events = null;

  // A form in use, an open menu and a selection are left alone until they are not in use any more.
  const isInUse = (part) =>
    part.contains(document.activeElement) &&
    document.activeElement.matches("input, select, textarea");

  const replace = (id, markup) => {
    const part = document.getElementById(id);
    if (!part || !part.hasAttribute("data-live")) return;
    if (isInUse(part)) {
      part.addEventListener("focusout", () => replace(id, markup), { once: true });
      return;
    }
    const focused = part.contains(document.activeElement) ? document.activeElement.id : "";
    const open = [...part.querySelectorAll("details[open][id]")].map((each) => each.id);
    const template = document.createElement("template");
    template.innerHTML = markup;
    part.replaceChildren(template.content);
    for (const each of open) document.getElementById(each)?.setAttribute("open", "");
    if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
  };

  const show = (state) => {
    document.body.dataset.live = state;
    if (link) link.textContent = link.dataset[state] ?? "";
  };

  const listen = () => {
    if (events) return;
    events = new EventSource(source);
    events.addEventListener("open", () => show("on"));
    // The browser connects again by itself and says what it has seen last.
    events.addEventListener("error", () => {
      show("off");
      if (events && events.readyState === EventSource.CLOSED) {
        events = null;
        setTimeout(listen, 5000);
      }
    });
    events.addEventListener("parts", (event) => {
      const parts = JSON.parse(event.data);
      for (const id of Object.keys(parts)) replace(id, parts[id]);
    });
    // The page has become another one: a device was removed, or has a form that it had not.
    events.addEventListener("reload", () => location.reload());
  };

  const stop = () => {
    events?.close();
    events = null;
  };

  // A page in the back-forward cache holds no connection, and catches up when it is shown again.
  addEventListener("pagehide", stop);
  addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload();
  });
  listen();
})();

(() => {
  // On a phone the bar is longer than the screen: the page that is open is in sight.
  const here = document.querySelector(".pages [aria-current]");
  const strip = here?.closest("ul");
  if (strip) strip.scrollLeft = here.offsetLeft - (strip.clientWidth - here.offsetWidth) / 2;
  // One click, one command.
  for (const form of document.querySelectorAll("form[method=post]")) {
    form.addEventListener("submit", () => {
      setTimeout(() => {
        for (const button of form.querySelectorAll("button")) button.disabled = true;
      });
    });
  }
})();

(() => {
  // Rooms are chosen on the drawing, too: a click on one changes its check box.
  const box = (room) =>
    document.querySelector(`input[name="argument-rooms"][value="${CSS.escape(room.dataset.room)}"]`);
  const rooms = [...document.querySelectorAll(".floor .room")].filter(box);
  const show = () => {
    for (const room of rooms) room.classList.toggle("chosen", box(room).checked);
  };
  for (const room of rooms) {
    room.classList.add("choosable");
    room.addEventListener("click", () => box(room).click());
  }
  document.addEventListener("change", show);
  show();
})();
