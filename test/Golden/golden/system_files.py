#===-- golden/system_files.py - Golden files of published systems --------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Scores, losses and gradients of systems on small sizes, and a short training."""

import dataclasses
import os
import random

import torch

from . import (attacks, attention, charts, continual, dialogues, disentangled, distillation,
               documents, editing, encoders, equilibrium, exits, filters, fusion, heads, intents,
               language, more_systems, multilingual, multitask, one_stack, pairs, phrases, places,
               reranking, round_trips, semisupervised, sick, systems, tagging, translation, unified,
               uplift, zoo)
from .cell_files import draw, parameter_shapes
from .system_examples import (acts, dialogues_with, encoded_words, entailed, in_pieces, keyed,
                             labelled_words, long_pieces, mentions, origins, parsed_words,
                             parts_of_documents, pieces, pieces_of_task, read_words, rebuilt,
                             related, related_and_parsed, sentences, sets_of_classes,
                             sets_of_sentences, sets_of_trees, stances, starts, stepped, texts,
                             translated, translated_by_key, vectors_of_task, written_words)

STEPS, RATE = 5, 0.01


def adam(parameters, rate):
    return torch.optim.Adam(parameters, lr=rate)


def adagrad(parameters, rate, decay=1e-4):
    return torch.optim.Adagrad(parameters, lr=rate, weight_decay=decay)


def adadelta(parameters, rate):
    return torch.optim.Adadelta(parameters, lr=rate, rho=0.95, eps=1e-6)


@dataclasses.dataclass
class System:
    """A model with sizes, examples, its scores and its loss in PyTorch. `inputs` of a
    function are the fields that it wants, where these are not all but targets."""
    model: str
    sizes: dict
    examples: object
    predict: object
    loss: object
    step: str = "train"  # None: no training is compared.
    function: str = "loss"
    inputs: dict = dataclasses.field(default_factory=dict)
    sets: bool = False  # Examples of the loss are sets of those of the scores.
    optimizer: object = adam
    updates: object = lambda name: True  # Which parameters the step changes.
    rate: float = RATE
    tolerance: dict = dataclasses.field(default_factory=dict)  # Where others are too small.
    frozen: tuple = ()  # Parameters that no step changes: they have no gradient.
    draws: bool = False  # The loss draws by keys of examples; those of a training are others.
    clip: float = float("inf")  # The greatest norm of a step's gradient.
    output: str = "predict"
    gradients: bool = True
    vectors: tuple = ()  # Fields of examples that are a value each, no rows.
    given: dict = dataclasses.field(default_factory=dict)  # Parameters that are not drawn.

    def members(self, examples):
        if not self.sets:
            return examples
        return [dict(zip(e, row)) for e in examples for row in zip(*e.values())]


def scored(scores):
    """The cross entropy of the label."""
    return lambda p, e: systems.cross_entropy(scores(p, e), e["label"])


WORDS = {"words": 9, "classes": 2, "dropout": 0.0, "input": 3}
RNN = {**WORDS, "hidden": 4, "layer": 5}
MIXTURE = {**RNN, "pieces": 7, "piece": 6, "filters": 8}
EXPERT = lambda name: not name.startswith(("imitator", "pieces"))
DOCUMENTS = {"documents": 4, "words": 9, "width": 3}
DOCUMENT = {"predict": ["document"]}
FAST = {"predict": ["tokens"], "loss": ["tokens", "before.out", "behind.out"]}
BUILT = {"words": 9, "input": 3, "hidden": 4}
ENCODER = {"words": 9, "width": 4, "bottleneck": 3, "heads": 2, "inner": 6, "places": 8,
           "layers": 2}
STANCE = {"words": 9, "input": 3, "hidden": 4, "stance": 5, "topic": 6, "topics": 2,
          "dropout": 0.0}
TOPIC = {"predict": ["text", "topic"], "loss": ["text", "topic", "label", "which", "rho"]}
MASKED = {"predict": ["text", "own"], "loss": ["text", "own"],
          "substitutes": ["text", "place", "keep"]}
TAGS = {"words": 9, "ends": 5, "labels": 3}
SIX_HEADS = {**TAGS, "word": 4, "end": 2, "width": 6, "inner": 7, "layers": 1, "places": 8,
             "dropout": 0.0}
ACCEPTS = {"accepts": tagging.ACCEPTS}
KINDS = {"predict": ["words", "prefixes", "suffixes", "kinds"]}
BILSTM = {**TAGS, "word": 4, "end": 2, "hidden": 6, "dropout": 0.0}
PARSER = {"words": 9, "ends": 5, "word": 4, "end": 2, "hidden": 6, "dropout": 0.0, "arc": 5,
          "relation": 3, "relations": 4}
PARSED = {"predict": ["words", "prefixes", "suffixes"]}
WRITER = {"words": 9, "places": 128, "width": 8, "inner": 6, "dropout": 0.0}
SPINN = {"words": 9, "hidden": 4, "noise": 0.0}
UNIFIED = {"words": 9, "input": 3, "hidden": 4, "similarity": 6, "state": 1, "arc": 5}
OF_WORDS = {"predict": ["tokens"]}
PAIR = {"predict": ["words_a", "words_b"]}
ORIGIN = {"predict": ["letters", "languages"],
          "loss": ["letters", "languages", "start", "word"]}

SYSTEMS = {
    "text_cnn": System("sentences/text_cnn", {**WORDS, "filters": 4, "longest": 1.0},
                       sentences, filters.text_cnn, scored(filters.text_cnn),
                       optimizer=adadelta),
    "self_attentive": System("sentences/self_attentive", {**RNN, "attention": 6}, sentences,
                             systems.self_attentive, scored(systems.self_attentive)),
    "mean_pool": System("sentences/mean_pool", RNN, sentences, systems.mean_pool,
                        scored(systems.mean_pool)),
    "bottleneck": System("sentences/bottleneck", {**RNN, "attention": 6}, sentences,
                         systems.bottleneck, scored(systems.bottleneck)),
    "lstm_classes": System("sentences/lstm", RNN, sentences, systems.lstm_classes,
                           scored(systems.lstm_classes)),
    "adversarial": System("sentences/lstm", RNN, sentences, systems.lstm_classes,
                          systems.adversarial_loss, "adversarial", "adversarial_loss"),
    "virtual": System("sentences/lstm", RNN, keyed, systems.lstm_classes,
                      semisupervised.virtual_loss, "virtual", "virtual_loss",
                      inputs={"predict": ["tokens"]}, draws=True),
    "imitate": System("imitation/mixture", MIXTURE, in_pieces,
                      lambda p, e: sum(semisupervised.opinions(p, e)),
                      semisupervised.imitation_loss, "imitate", "imitation_loss",
                      output="predict_imitators",
                      inputs={"predict_imitators": ["pieces"], "loss": ["tokens", "pieces"]},
                      updates=lambda name: not EXPERT(name) and not name.startswith("mixture")),
    "mixture": System("imitation/mixture", MIXTURE, in_pieces, semisupervised.mixture,
                      scored(semisupervised.mixture), "mix", updates=EXPERT),
    "crf": System("tagging/crf", TAGS, labelled_words,
                  lambda p, e: systems.crf_labels(p, systems.crf_emissions(p, e)),
                  lambda p, e: systems.crf_loss(p, systems.crf_emissions(p, e), e["labels"])),
    "bilstm_tags": System("tagging/bilstm", BILSTM, labelled_words, systems.bilstm_emissions,
                          systems.tag_loss),
    "bilstm_crf": System(
        "tagging/bilstm_crf", BILSTM, labelled_words,
        lambda p, e: systems.crf_labels(p, systems.bilstm_emissions(p, e)),
        lambda p, e: systems.crf_loss(p, systems.bilstm_emissions(p, e), e["labels"])),
    "encoded_crf": System(
        "tagging/encoded_crf", {**BILSTM, "state": 3}, encoded_words,
        lambda p, e: systems.crf_labels(p, tagging.encoded_emissions(p, e)),
        lambda p, e: systems.crf_loss(p, tagging.encoded_emissions(p, e), e["labels"])),
    "ab_antiquo": System("protoword/ab_antiquo", {"embedding": 5, "hidden": 7, "inner": 4,
                                                  "dropout": 0.0}, origins,
                         systems.origin_words, systems.origin_loss, inputs=ORIGIN),
    "quick_thought": System("contrastive/quick_thought", {"words": 9, "input": 3, "hidden": 4},
                            sets_of_sentences, systems.both_vectors, systems.quick_thought,
                            sets=True),
    "st_gumbel": System("listops/st_gumbel", {"words": 9, "hidden": 4, "noise": 0.0},
                        sentences, more_systems.st_gumbel, scored(more_systems.st_gumbel)),
    "skip_thought": System("rebuilding/skip_thought", BUILT, rebuilt("before", "behind"),
                           systems.thought, systems.skip_thought,
                           inputs={"predict": ["tokens"]}),
    "fast_sent": System("rebuilding/fast_sent", {"words": 9, "input": 3},
                        rebuilt("before", "behind"), systems.fast_sent,
                        systems.fast_sent_loss("before.out", "behind.out"), inputs=FAST),
    "fast_sent_own": System("rebuilding/fast_sent", {"words": 9, "input": 3},
                            rebuilt("before", "behind"), systems.fast_sent,
                            systems.fast_sent_loss("before.out", "behind.out", "tokens"),
                            "own", "own_loss", inputs=FAST),
    "pv_dm": System("documents/doc2vec", DOCUMENTS, parts_of_documents, systems.document,
                    systems.dm_loss, "dm", inputs=DOCUMENT),
    "pv_dbow": System("documents/doc2vec", DOCUMENTS, parts_of_documents, systems.document,
                      systems.dbow_loss, "new_dbow", "dbow_loss", inputs=DOCUMENT,
                      updates=lambda name: name == "documents"),
    "sdae": System("rebuilding/sdae", BUILT, rebuilt("clean"),
                   lambda p, e: systems.what_is_left(p, e)[0], systems.sdae,
                   inputs={"predict": ["tokens"]}),
    "adapter": System("adapters/adapter", ENCODER, pieces, more_systems.adapted_class,
                      scored(more_systems.adapted_class),
                      updates=lambda name: "adapter" in name or "classes" in name),
    "toad": System("stance/toad", STANCE, stances, lambda p, e: more_systems.Stance(p, e).stances(),
                   lambda p, e: more_systems.Stance(p, e).loss(), inputs=TOPIC,
                   updates=lambda name: not name.startswith("critic.")),
    "toad_critic": System("stance/toad", STANCE, stances,
                          lambda p, e: more_systems.Stance(p, e).stances(),
                          lambda p, e: more_systems.Stance(p, e).topic_loss(), "critic",
                          "critic_loss", {"predict": ["text", "topic"],
                                          "loss": ["text", "topic", "which"]},
                          updates=lambda name: name.startswith("critic.")),
    "language_model": System(
        "language/language_model", {"words": 9, "dropout": 0.0, "input": 3, "hidden": 4},
        texts, systems.surprise_of_text, systems.surprise_of_text),
    "biaffine": System("parser/biaffine", PARSER, parsed_words, systems.parser_relations,
                       systems.parser_loss, inputs=PARSED),
    "transformer": System(
        "translation/transformer", {"words": 9, "places": 64, "width": 8, "inner": 6,
                                    "dropout": 0.0}, translated, translation.search,
        translation.loss, inputs={"predict": ["source"]}),
    "corrector": System(
        "correction/corrector", WRITER, translated, translation.corrections,
        translation.smoothed_loss, inputs={"predict": ["source"]}, clip=1.0),
    "noisy_corrector": System(
        "correction/corrector", WRITER, translated_by_key, translation.noisy_corrections,
        translation.smoothed_loss, None, output="noisy", gradients=False,
        inputs={"noisy": ["source", "key"], "loss": ["source", "target.in", "target.out"]}),
    "correctors": System(
        "correction/ensemble", WRITER, translated, translation.corrections_together,
        translation.score_together, None, "score", gradients=False,
        inputs={"predict": ["source"]}),
    "cyk_listops": System("listops/cyk", {"words": 9, "hidden": 4}, sentences, charts.listops,
                          scored(charts.listops)),
    "cyk_relatedness": System(
        "sick/cyk", {"words": 9, "input": 3, "hidden": 4, "similarity": 6}, related,
        charts.expected_score, lambda p, e: heads.relatedness_loss(charts.relatedness(p, e), e),
        "relatedness", inputs=PAIR, optimizer=adagrad, frozen=("words",)),
    "structured_alignment": System(
        "sick/structured_alignment", {"words": 9, "input": 3, "hidden": 4, "inner": 5}, entailed,
        charts.alignment, scored(charts.alignment), "entailment", inputs=PAIR,
        # Words and the whole stand in all trees: their gradients are zeros, rounded, from which
        # Adam would make steps. The interpreter has differences of differences.
        frozen=("words",), rate=1e-4, tolerance={"gradients": 1e-7}),
    "rae": System("listops/rae", {"words": 9, "hidden": 4, "rebuilding": 0.25}, sentences,
                  lambda p, e: charts.autoencoder(p, e)[0], charts.autoencoder_loss),
    "spinn": System("listops/spinn", SPINN, stepped, lambda p, e: charts.shift_reduce(p, e)[0],
                    charts.given_steps_loss, inputs=OF_WORDS),
    "spinn_reinforce": System("listops/spinn", SPINN, stepped,
                              lambda p, e: charts.shift_reduce(p, e)[0], charts.reinforce_loss,
                              "reinforce", "reinforce_loss",
                              inputs=OF_WORDS | {"loss": ["tokens", "label"]}, rate=1e-4),
    "mention_pairs": System(
        "coreference/mention_pairs",
        {"words": 10, "input": 5, "hidden": 1, "feature": 3, "values": 11, "latent": 4, "inner": 2,
         "dropout": 0.0, "noise.modality": 0.0, "noise.genericity": 0.0, "noise.tense": 0.0},
        mentions, documents.best_scores, documents.links_loss, rate=1e-4,
        inputs={"predict": ["tokens", "first", "last", *documents.FEATURES]}),
    "contrastive_intents": System(
        "intents/contrastive", {"words": 9, "input": 3, "hidden": 2, "classes": 5, "dropout": 0.0},
        sets_of_classes, intents.intents, intents.contrast, sets=True,
        # The interpreter's gradient by the words is one of differences, of which the loss is made.
        rate=1e-4, tolerance={"f64": 1e-7, "gradients": 1e-6}),
    "hier": System(
        "dialogue/hier", dialogues.TALKER, dialogues_with(), dialogues.responding(dialogues.hier),
        dialogues.losing(dialogues.hier), inputs={"predict": ["context", "turns", "within"]}),
    "multi_view": System(
        "contrastive/multi_view", {"words": 9, "input": 3, "hidden": 4, "query": 2},
        sets_of_trees, more_systems.both_views, more_systems.multi_view, sets=True),
    "unified_tree_lstm": System(
        "parser/unified_tree_lstm", UNIFIED, related, unified.expected_score,
        lambda p, e: heads.relatedness_loss(unified.relatedness(p, e), e), "relatedness",
        inputs=PAIR, optimizer=lambda *given: adagrad(*given, 2e-4), frozen=("words",), rate=1e-3),
    "unified_treebank": System(
        "parser/unified_tree_lstm", UNIFIED, related_and_parsed, unified.expected_score,
        unified.treebank_loss, "treebank", "parse_loss",
        inputs={"predict": PAIR["predict"], "loss": ["words", "heads"]}, frozen=("words",)),
    "tag_transformer": System("tagging/transformer", SIX_HEADS, labelled_words, tagging.tags,
                              tagging.entropy(tagging.tags), clip=5.0),
    "normalization_transformer": System(
        "normalization/transformer", {**SIX_HEADS, "kinds": 4}, tagging.kinds_of_words, tagging.classes,
        tagging.entropy(tagging.classes), inputs=KINDS, given=ACCEPTS, frozen=("accepts",)),
    "normalization_crf": System(
        "normalization/bilstm_crf", {**BILSTM, "kinds": 4}, tagging.kinds_of_words,
        tagging.classes_together, tagging.together_loss, inputs=KINDS, given=ACCEPTS,
        frozen=("accepts",)),
    "ngrams": System("attacks/ngrams", {"grams": 9}, attacks.grams, attacks.ngrams,
                     scored(attacks.ngrams)),
    "masked_language_model": System(
        "language/masked_language_model", {"words": 9, "input": 3, "hidden": 4, "dropout": 0.0},
        attacks.masked_texts, attacks.substitutes, attacks.masked_loss, output="substitutes",
        inputs=MASKED),
    "hier_cls": System(
        "dialogue/hier_cls", dialogues.TALKER, dialogues_with(starts=starts),
        dialogues.responding(dialogues.hier_cls), dialogues.losing(dialogues.hier_cls),
        inputs={"predict": ["context", "turns", "within", "starts"]}),
    "hier_acts": System(
        "dialogue/hier_acts", {**dialogues.TALKER, "acts": 3}, dialogues_with(acts=acts),
        dialogues.responding(dialogues.hier, dialogues.with_acts),
        dialogues.losing(dialogues.hier, dialogues.with_acts),
        inputs={"predict": ["context", "turns", "within", "acts"]}, vectors=("acts",)),
    "hier_set": System(
        "dialogue/set", dialogues.TALKER, dialogues_with(), dialogues.responding(dialogues.alone),
        dialogues.losing(dialogues.alone), inputs={"predict": ["context", "turns", "within"]}),
    "hier_mat": System(
        "dialogue/mat", dialogues.TALKER, dialogues_with(), dialogues.responding(dialogues.around),
        dialogues.losing(dialogues.around),
        inputs={"predict": ["context", "turns"],
                "loss": ["context", "turns", "target.in", "target.out"]}),
    "hier_joint": System(
        "dialogue/hier_joint", dialogues.TALKER,
        lambda rng: dialogues_with(**{
            f"{name}.{end}": words for name in ("belief", "action")
            for end, words in (("in", read_words), ("out", written_words))})(rng)[1:],
        dialogues.joint_responses, dialogues.joint_loss,
        inputs={"predict": ["context", "turns", "within"]}, clip=5.0),
    "interpretable": System("sentences/lstm", {**RNN, "near": 3}, sentences,
                            systems.lstm_classes, semisupervised.interpretable_loss,
                            "interpretable", "interpretable_loss"),
    "bcl": System(
        "continual/bcl", {"width": 5, "hidden": 7, "tasks": 4, "s_max": continual.GREATEST},
        vectors_of_task, continual.predict, continual.task_loss, function="task_loss",
        inputs={"predict": ["x", "task"]}, vectors=("x",)),
    "bcl_encoder": System(
        "continual/bcl_encoder",
        {"words": 9, "width": 6, "hidden": 4, "tasks": 3, "heads": 2, "inner": 5, "places": 8,
         "layers": 2, "s_max": continual.GREATEST}, pieces_of_task, continual.predict_within,
        continual.loss_within, function="task_loss",
        inputs={"predict": ["tokens", "segments", "task"]},
        updates=lambda name: "adapter" in name or "classes" in name, gradients=False),
    "deq": System(
        "equilibrium/deq", {"words": 9, "width": 4, "classes": 2, "heads": 1, "inner": 5,
                            "places": 8, "part": 1e-10, "most": 100, "gamma": 0.0}, sentences,
        equilibrium.equilibrium, scored(equilibrium.equilibrium), gradients=False),
    "sbert_wk": System(
        "bert/sbert_wk", {"words": 9, "width": 8, "heads": 2, "inner": 6, "places": 8},
        long_pieces, encoders.sbert_wk, encoders.sbert_wk, None, "predict", gradients=False),
    **{name: System(**fields) for name, fields in (
        distillation.SYSTEMS | editing.SYSTEMS | language.SYSTEMS | pairs.SYSTEMS
        | sick.SYSTEMS | semisupervised.SYSTEMS | encoders.SYSTEMS | equilibrium.SYSTEMS
        | attention.SYSTEMS | exits.SYSTEMS | multilingual.SYSTEMS | phrases.SYSTEMS
        | one_stack.SYSTEMS | dialogues.SYSTEMS | multilingual.STUDENT
        | one_stack.WRITERS | reranking.SYSTEMS | disentangled.SYSTEMS | fusion.SYSTEMS
        | places.SYSTEMS | uplift.SYSTEMS | intents.SYSTEMS | pairs.TUNED
        | language.LINES | zoo.SYSTEMS | encoders.PROJECTED | phrases.LOCAL
        | round_trips.SYSTEMS | multitask.SYSTEMS).items()},
}
NAMES = tuple(SYSTEMS)


def tensors(params):
    return {n: torch.tensor(v, dtype=torch.float64, requires_grad=True)
            for n, v in params.items()}


def train(system, params, examples):
    """The mean losses in front of each of some steps over all examples."""
    p, losses = tensors(params), []
    optimizer = system.optimizer([v for n, v in p.items()
                                  if system.updates(n) and n not in system.frozen],
                                 system.rate)
    for _ in range(STEPS):
        optimizer.zero_grad()
        loss = sum(system.loss(p, e) for e in examples) / len(examples)
        loss.backward()
        torch.nn.utils.clip_grad_norm_([v for v in p.values() if v.grad is not None], system.clip)
        losses.append(loss.item())
        optimizer.step()
    return losses


def make(name, models, seed):
    """The golden file of one system."""
    rng, system = random.Random(seed), SYSTEMS[name]
    path = os.path.join(models, os.pardir, system.model + ".mlir")
    params = {n: draw(shape, rng)
              for n, shape in parameter_shapes(path, system.sizes).items()} | system.given
    examples = system.examples(rng)
    p = tensors(params)
    losses = [system.loss(p, e) for e in examples]
    members = system.members(examples)
    gradients = torch.autograd.grad(sum(losses) / len(losses), list(p.values()),
                                    allow_unused=True) if system.gradients else ()
    return {
        "model": f"models/{system.model}.mlir", "sizes": system.sizes, "output": system.output,
        "criterion": system.function, "inputs": system.inputs, "params": params,
        "examples": examples, **({"members": members} if system.sets else {}),
        system.output: [system.predict(p, e).tolist() for e in members],
        "loss": [loss.tolist() for loss in losses],
        "gradients": {n: g.tolist() for n, g in zip(p, gradients)
                      if g is not None and n not in system.frozen},
        **({"vectors": system.vectors} if system.vectors else {}),
        **({"tolerance": system.tolerance} if system.tolerance else {}),
        **({"draws": True} if system.draws else {} if not system.step else
           {"training": {"step": system.step, "rate": system.rate,
                         "losses": train(system, params, examples)}}),
    }
