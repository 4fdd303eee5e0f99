// What the page shows. Everything that comes from a row, a query or the engine goes in as text, never as markup.

import { shortened } from "./sql-text.js";

const ABSTRACT_CHARACTERS = 220;
/** The badge of a grade. */
const GRADES = new Map([
  [2, "relevant"],
  [1, "related"],
]);

/**
 * @typedef {import("./searches.js").Ranking} Ranking
 * @typedef {{ id: string, title: string, abstract: string, figures: string, grade: number }} Hit
 *   grade: 2 relevant, 1 related, 0 not judged
 * @typedef {{ name: string, value: string }} Fact
 */

/** The line that says what is going on, also read out by screen readers. */
export class Status {
  #element = byId("status");

  /** @param {string} text */
  say(text) {
    this.#element.textContent = text;
  }
}

/** The box for what keeps the page from working. */
export class ProblemBox {
  #element = byId("problem");

  /** @param {import("./problems.js").Explanation} explanation */
  show({ what, hint }) {
    within(this.#element, ".what").textContent = what;
    within(this.#element, ".hint").textContent = hint;
    this.#element.hidden = false;
  }

  hide() {
    this.#element.hidden = true;
  }
}

/** One of the three lists. */
export class ListView {
  #section;
  #sql = "";

  /**
   * @param {Ranking} ranking
   * @param {(text: string) => void} say announces that the SQL was copied
   */
  constructor(ranking, say) {
    this.#section = byId(ranking);
    this.#section.append(fromTemplate("list-body"));
    this.#part("pre").setAttribute("aria-label", `SQL, ${ranking}`);
    this.#part(".copy").setAttribute("aria-label", `Copy whole SQL, ${ranking}`);
    this.#part(".copy").addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(this.#sql);
        say("The whole SQL is on the clipboard.");
      } catch {
        say("The browser does not let this page write to the clipboard.");
      }
    });
    this.clear("");
  }

  /**
   * The list's query is under way. What the list holds stays until the answer comes.
   *
   * @param {string} sql
   */
  expect(sql) {
    this.#section.setAttribute("aria-busy", "true");
    this.#showSql(sql);
  }

  /**
   * @param {Hit[]} hits
   * @param {Fact[]} facts
   */
  show(hits, facts) {
    this.#finish(hits.length ? "" : "The search by words found nothing.");
    this.#part(".facts").replaceChildren(...facts.map(factElement));
    this.#part(".hits").replaceChildren(...hits.map(hitElement));
  }

  /** @param {string} what went wrong with this list's query */
  fail(what) {
    this.#finish(what);
  }

  /** @param {string} why there is no list */
  clear(why) {
    this.#finish(why);
    this.#showSql("");
  }

  /** @param {string} message */
  #finish(message) {
    this.#section.removeAttribute("aria-busy");
    this.#part(".facts").replaceChildren();
    this.#part(".hits").replaceChildren();
    this.#part(".message").textContent = message;
    this.#part(".message").hidden = !message;
  }

  /** @param {string} sql */
  #showSql(sql) {
    this.#sql = sql;
    this.#part("code").textContent = shortened(sql);
    this.#part(".sql").hidden = !sql;
    this.#part(".facts").hidden = !sql;
  }

  /** @param {string} selector */
  #part(selector) {
    return within(this.#section, selector);
  }
}

/**
 * The first characters of a text, cut between words.
 *
 * @param {string} text
 * @param {number} [length] in UTF-16 units, at most
 */
export function snippet(text, length = ABSTRACT_CHARACTERS) {
  if (text.length <= length) return text;
  const end = text.lastIndexOf(" ", length);
  return `${text.slice(0, end > 0 ? end : length).replace(/[\s,;:.]+$/, "")} …`;
}

/** @param {Hit} hit */
function hitElement(hit) {
  const element = within(fromTemplate("hit"), ".hit");
  element.dataset.id = hit.id;
  within(element, ".title").textContent = hit.title;
  within(element, ".figures").textContent = hit.figures;
  within(element, ".abstract").textContent = snippet(hit.abstract);
  const grade = GRADES.get(hit.grade);
  if (grade) {
    const badge = within(element, ".badge");
    badge.textContent = grade;
    badge.classList.add(grade);
    badge.hidden = false;
  }
  return element;
}

/** @param {Fact} fact */
function factElement({ name, value }) {
  const group = document.createElement("div");
  const term = document.createElement("dt");
  const detail = document.createElement("dd");
  term.textContent = name;
  detail.textContent = value;
  group.append(term, detail);
  return group;
}

/** @param {string} id */
export function byId(id) {
  return within(document, `#${id}`);
}

/** @param {string} id a template's */
function fromTemplate(id) {
  const template = /** @type {HTMLTemplateElement} */ (byId(id));
  return document.importNode(template.content, true);
}

/**
 * @param {ParentNode} parent
 * @param {string} selector
 * @returns {HTMLElement}
 */
function within(parent, selector) {
  const found = parent.querySelector(selector);
  if (!(found instanceof HTMLElement)) throw new Error(`index.html has no ${selector}`);
  return found;
}
