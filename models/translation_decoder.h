// Translation models as beam search asks them.
#pragma once

#include <memory>

#include "models/beam_search.h"
#include "models/translation_model.h"

namespace rethink {

/// Goes on with target sentences of `source`, each row of which is a sentence. `model` must outlive
/// it. Where the model keeps a state each token costs one pass over one token, else over all tokens
/// so far.
std::unique_ptr<NextTokens> make_translation_decoder(TranslationModel& model, EncodedSource source,
                                                     PhiloxKey pass);

}  // namespace rethink
